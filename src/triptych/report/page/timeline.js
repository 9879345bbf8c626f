// The timeline's bars, marks and playheads; the keyboard; the stage that stays in sight.
(() => {
  if (!player) return;
  const tracks = { A: $('[data-track="A"]'), B: $('[data-track="B"]') };
  const stage = $("#stage");
  let used = false, closed = false;

  player.listen((times) => {
    for (const id of ["A", "B"]) {
      const t = times[id], head = $(".playhead", tracks[id]);
      head.classList.toggle("off", t === null);
      if (t === null) continue;
      head.style.left = `${(100 * t) / DATA.scale}%`;
      $(`#now-${id}`).textContent = clock(t);
      tracks[id].setAttribute("aria-valuenow", t.toFixed(3));
      tracks[id].setAttribute("aria-valuetext", clock(t));
    }
  });

  function go(id, t, andPlay) {
    used = true;
    closed = false;
    player.seek(id, t);
    if (andPlay && !player.playing) player.play();
    dock();
  }

  for (const id of ["A", "B"]) {
    const track = tracks[id];
    const timeAt = (e) => {
      const box = track.getBoundingClientRect();
      return ((e.clientX - box.left) / box.width) * DATA.scale;
    };
    let dragging = false;
    track.addEventListener("pointerdown", (e) => {
      if (e.button) return;
      dragging = true;
      track.setPointerCapture(e.pointerId);
      player.pause();
      go(id, timeAt(e), false);
    });
    track.addEventListener("pointermove", (e) => { if (dragging) go(id, timeAt(e), false); });
    track.addEventListener("pointerup", () => {
      if (dragging) player.play();
      dragging = false;
    });
    track.addEventListener("pointercancel", () => { dragging = false; });
    track.addEventListener("keydown", (e) => {
      const now = Number(track.getAttribute("aria-valuenow"));
      const step = e.shiftKey ? 5 : 1;
      const to = {
        ArrowLeft: now - step, ArrowDown: now - step, ArrowRight: now + step, ArrowUp: now + step,
        PageDown: now - 10, PageUp: now + 10, Home: 0, End: DATA.videos[id].duration,
      }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      go(id, to, false);
    });
  }

  document.addEventListener("click", (e) => {
    const button = e.target.closest("[data-seek]");
    if (button) go(button.dataset.seek, Number(button.dataset.t), true);
    const mark = e.target.closest("[data-seek-mark]");
    if (mark) go(mark.dataset.seekMark, Number(mark.dataset.t), false);
  });

  // The next or previous difference in the order of the page; round at either end.
  let shown = null;
  function difference(by) {
    const cards = $$(".card.different:not([hidden])");
    if (!cards.length) return;
    const at = cards.indexOf(shown);
    shown = cards[at < 0 ? (by > 0 ? 0 : cards.length - 1) : (at + by + cards.length) % cards.length];
    shown.scrollIntoView({ block: "center" });
    shown.focus({ preventScroll: true });
    const moment = $("[data-seek]", shown);
    if (moment) go(moment.dataset.seek, Number(moment.dataset.t), false);
  }

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const own = e.target.closest("button, a, select, textarea, summary, input:not([type=range])");
    const range = e.target.closest("input[type=range]");
    if (e.key === " " && !own) {
      e.preventDefault();
      used = true;
      player.toggle();
    } else if ((e.key === "," || e.key === ".") && !own) {
      used = true;
      player.step(e.key === "," ? -player.frame() : player.frame());
    } else if ((e.key === "ArrowLeft" || e.key === "ArrowRight") && !own && !range && used) {
      player.nudge(e.key === "ArrowLeft" ? -1 : 1);
    } else if ((e.key === "n" || e.key === "p") && !e.target.closest("select, textarea, input:not([type=range])")) {
      difference(e.key === "n" ? 1 : -1);
    }
  });

  // Once used, the players follow into a corner when their place scrolls out of sight.
  const place = $(".stage-place");
  let inSight = true;
  function dock() {
    const wanted = used && !closed && !inSight;
    if (wanted && !stage.classList.contains("docked")) place.style.height = `${place.offsetHeight}px`;
    stage.classList.toggle("docked", wanted);
    if (!wanted) place.style.height = "";
  }
  new IntersectionObserver(([entry]) => { inSight = entry.isIntersecting; dock(); }).observe(place);
  $("#undock").addEventListener("click", () => { closed = true; player.pause(); dock(); });
  $("#play").addEventListener("click", () => { used = true; });
  player.seek("A", 0);
})();
