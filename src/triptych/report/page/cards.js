// Cards: moments, the wipe and the difference; the scorecard's filter.
(() => {
  const GAIN = 4;

  for (const img of $$("img[data-still]")) {
    const first = document.getElementById(img.dataset.still);
    if (first) img.src = first.src;
  }

  // A picture without its bars; B's turned and mirrored back, and scaled to A's size.
  function drawn(canvas, img, id, size, mirror, turn) {
    const [l, t, r, b] = DATA.crops[id] || [0, 0, 1, 1];
    const w = img.naturalWidth, h = img.naturalHeight;
    const cut = [l * w, t * h, (r - l) * w, (b - t) * h];
    canvas.width = size[0];
    canvas.height = size[1];
    const c = canvas.getContext("2d", { willReadFrequently: true });
    c.translate(size[0] / 2, size[1] / 2);
    // B is A mirrored, then turned clockwise: undo in the opposite order.
    c.scale(mirror === "horizontal" ? -1 : 1, mirror === "vertical" ? -1 : 1);
    c.rotate((-turn * Math.PI) / 180);
    const [dw, dh] = turn % 180 ? [size[1], size[0]] : size;
    c.drawImage(img, ...cut, -dw / 2, -dh / 2, dw, dh);
    return c;
  }

  function sizeOf(img, id) {
    const [l, t, r, b] = DATA.crops[id] || [0, 0, 1, 1];
    return [Math.max(1, Math.round(img.naturalWidth * (r - l))), Math.max(1, Math.round(img.naturalHeight * (b - t)))];
  }

  async function compare(look) {
    const a = $(".shot.a img", look), b = $(".shot.b img", look);
    await Promise.all([a.decode(), b.decode()]);
    const { mirror } = look.dataset, turn = Number(look.dataset.turn);
    const size = sizeOf(a, "A");
    const under = $(".under", look), over = $(".over", look);
    const wipe = look.dataset.view === "wipe";
    const ca = drawn(under, a, "A", size, "none", 0);
    const cb = drawn(over, b, "B", size, mirror, turn);
    $(".stack", look).style.setProperty("--shape", String(size[0] / size[1]));
    $(".wipe", look).hidden = !wipe;
    $(".edge", look).hidden = !wipe;
    over.hidden = !wipe;
    const undone = $(".explain", look).dataset.undone;
    const fitted = [undone && `B is ${undone}`, anyBars() && "bars are cut off"].filter(Boolean).join("; ");
    if (wipe) {
      wiped(look);
      $(".explain", look).textContent = fitted ? `${fitted}, so that both lie on each other.` : "";
    } else {
      const pa = ca.getImageData(0, 0, ...size), pb = cb.getImageData(0, 0, ...size);
      for (let i = 0; i < pa.data.length; i += 4) {
        for (let k = 0; k < 3; k++) pa.data[i + k] = Math.min(255, GAIN * Math.abs(pa.data[i + k] - pb.data[i + k]));
      }
      ca.putImageData(pa, 0, 0);
      $(".explain", look).textContent =
        `Absolute difference of the two frames, ${GAIN} times as bright; black is equal.` + (fitted ? ` ${fitted}.` : "");
    }
  }
  const anyBars = () => Object.values(DATA.crops).some((c) => c.join() !== "0,0,1,1");

  function wiped(look) {
    const x = Number($("input[type=range]", look).value);
    // A stands to the left of the edge, B to the right of it.
    $(".over", look).style.clipPath = `inset(0 0 0 ${x}%)`;
    $(".edge", look).style.left = `${x}%`;
  }

  function press(buttons, chosen) {
    for (const b of buttons) b.setAttribute("aria-pressed", String(b === chosen));
  }

  for (const look of $$(".look")) {
    const buttons = $$("[data-set-view]", look);
    for (const button of buttons) {
      button.addEventListener("click", () => {
        const view = button.dataset.setView;
        look.dataset.view = view;
        press(buttons, button);
        $(".pair", look).hidden = view !== "side";
        $(".compare", look).hidden = view === "side";
        if (view !== "side") compare(look);
      });
    }
    const range = $("input[type=range]", look);
    if (!range) continue;
    range.addEventListener("input", () => wiped(look));
    const stack = $(".stack", look);
    const drag = (e) => {
      if (look.dataset.view !== "wipe" || !(e.buttons & 1)) return;
      const box = stack.getBoundingClientRect();
      range.value = String((100 * (e.clientX - box.left)) / box.width);
      wiped(look);
    };
    stack.addEventListener("pointerdown", drag);
    stack.addEventListener("pointermove", drag);
  }

  for (const card of $$(".card")) {
    const chips = $$("[data-moment]", card);
    for (const chip of chips) {
      chip.addEventListener("click", () => {
        press(chips, chip);
        for (const look of $$(".look", card)) {
          const on = look.dataset.look === chip.dataset.moment;
          look.classList.toggle("on", on);
          look.classList.toggle("off", !on);
        }
      });
    }
    const light = (on) => {
      for (const m of $$(`.mark[href="#${card.id}"]`)) m.classList.toggle("lit", on);
    };
    card.addEventListener("pointerenter", () => light(true));
    card.addEventListener("pointerleave", () => light(false));
  }

  // The scorecard: a click shows one dimension's findings alone, another shows all again.
  let filter = null;
  const status = $("#filter");
  function show(dimension) {
    filter = dimension;
    for (const tile of $$("[data-filter]")) tile.setAttribute("aria-pressed", String(tile.dataset.filter === filter));
    for (const card of $$(".card")) card.hidden = filter !== null && card.dataset.dimension !== filter;
    for (const mark of $$(".mark")) mark.classList.toggle("dim", filter !== null && mark.dataset.dimension !== filter);
    const same = $("#same");
    if (same && filter !== null && $$(".card:not([hidden])", same).length) same.open = true;
    status.hidden = filter === null;
    status.textContent = "";
    if (filter === null) return;
    const all = document.createElement("button");
    all.type = "button";
    all.textContent = "Show all";
    all.addEventListener("click", () => show(null));
    status.append(`Only ${filter} is shown. `, all);
  }
  for (const tile of $$("[data-filter]")) {
    tile.setAttribute("role", "button");
    tile.setAttribute("aria-pressed", "false");
    tile.addEventListener("click", (e) => {
      e.preventDefault();
      show(filter === tile.dataset.filter ? null : tile.dataset.filter);
      if (filter !== null) $("#findings").scrollIntoView({ block: "start" });
    });
    tile.addEventListener("keydown", (e) => {
      if (e.key === " ") { e.preventDefault(); tile.click(); }
    });
  }
  // A link into the folded part opens it.
  function open() {
    const id = location.hash.slice(1);
    const target = id && document.getElementById(id);
    const folded = target && target.closest("details");
    if (folded) folded.open = true;
    if (target && target.hidden) show(null);
    if (target) target.focus({ preventScroll: true });
  }
  window.addEventListener("hashchange", open);
  open();
})();
