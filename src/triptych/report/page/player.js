// Two videos and one moment. One of them leads and plays; the other follows it through the
// alignment's spans: at the rate that keeps the same content on both screens, or, where it runs
// backwards, by seeking from frame to frame.
const player = (() => {
  const videos = { A: $("#video-A"), B: $("#video-B") };
  if (!videos.A || !videos.B) return null;
  const other = { A: "B", B: "A" };
  const listeners = [], shapes = { A: 16 / 9, B: 16 / 9 };
  let leader = "A", playing = false, inStep = true, last = null, stretch = 0;

  for (const id of ["A", "B"]) {
    const raw = atob($(`#proxy-${id}`).textContent.trim());
    const bytes = Uint8Array.from(raw, (c) => c.charCodeAt(0));
    videos[id].src = URL.createObjectURL(new Blob([bytes], { type: "video/mp4" }));
    videos[id].addEventListener("error", () => veil(id, "this browser cannot play the embedded copy"));
    videos[id].addEventListener("loadedmetadata", () => {
      const shape = videos[id].videoWidth / videos[id].videoHeight;
      videos[id].style.aspectRatio = videos[id].nextElementSibling.style.aspectRatio = String(shape);
      shapes[id] = shape;
      const style = $(".screens").style;
      style.setProperty(`--shape-${id.toLowerCase()}`, `${shape}fr`);
      style.setProperty("--shapes", String(shapes.A + shapes.B));
    });
  }

  // Time in the video to time in its embedded copy; the nearest that there is.
  function toCopy(id, t) {
    let best = null;
    for (const [start, end, at] of DATA.videos[id].windows) {
      const near = Math.min(Math.max(t, start), end - 0.001);
      const away = Math.abs(near - t);
      if (!best || away < best.away) best = { away, time: at + near - start };
    }
    return best || { away: 0, time: t };
  }
  // Which of the stretches in the copy is on screen.
  function stretchOf(id) {
    const windows = DATA.videos[id].windows, t = videos[id].currentTime;
    let found = 0;
    windows.forEach((w, i) => { if (t >= w[2] - 1e-4) found = i; });
    return found;
  }
  function now(id) {
    const [start, , at] = DATA.videos[id].windows[stretchOf(id)] || [0, 0, 0];
    return start + videos[id].currentTime - at;
  }

  // The span that holds time t of a video, and what the other video shows then.
  function across(id, t) {
    if (!DATA.matched) {
      return t < DATA.videos[other[id]].duration ? { time: t, rate: 1, reverse: false, free: true } : null;
    }
    const [from, to] = id === "A" ? ["a", "b"] : ["b", "a"];
    let best = null;
    for (const s of DATA.spans) {
      const away = Math.max(s[from][0] - t, t - s[from][1], 0);
      if (away <= 0.25 && (!best || away < best.away)) best = { away, s };
    }
    if (!best) return null;
    const [f0, f1] = best.s[from], [t0, t1] = best.s[to];
    const share = f1 > f0 ? (Math.min(Math.max(t, f0), f1) - f0) / (f1 - f0) : 0;
    const reverse = best.s.reverse;
    return {
      time: reverse ? t1 - share * (t1 - t0) : t0 + share * (t1 - t0),
      rate: f1 > f0 ? (t1 - t0) / (f1 - f0) : 1,
      reverse,
    };
  }

  function veil(id, text) {
    const element = videos[id].nextElementSibling;
    element.textContent = text;
    element.hidden = !text;
  }
  function place(id, t) {
    const copy = toCopy(id, t);
    videos[id].currentTime = copy.time;
    veil(id, copy.away > 0.5 ? `${clock(t)} is not embedded` : "");
  }

  // The follower to where the leader is. `exact` after a seek, else only when it has drifted.
  function follow(t, exact) {
    const id = other[leader], video = videos[id];
    const match = across(leader, t);
    if (!match) {
      video.pause();
      veil(id, DATA.matched ? `${id} shows nothing of this` : `${id} has ended`);
      return match;
    }
    // At less than a sixteenth of the speed, or more than sixteen times, browsers refuse.
    const steps = match.reverse || match.rate < 0.0625 || match.rate > 16;
    const free = !inStep && !exact && !match.reverse;
    if (exact || (steps && !video.seeking)) {
      place(id, match.time);
    } else if (!steps) {
      veil(id, "");
      if (!free && Math.abs(now(id) - match.time) > 0.15 * Math.max(1, match.rate)) place(id, match.time);
    }
    if (steps) {
      video.pause();
    } else {
      video.playbackRate = inStep ? match.rate : 1;
      const ended = match.time >= DATA.videos[id].duration - 0.05;
      if (playing && video.paused && !ended) video.play().catch(() => {});
    }
    return match;
  }

  function tell(match) {
    const id = other[leader];
    let text = "";
    if (match && match.reverse) text = `${id} runs backwards here and is stepped to match`;
    else if (match && inStep && Math.abs(match.rate - 1) > 0.02) {
      text = `${id} plays at ${match.rate.toFixed(2)}× to show the same content as ${leader}`;
    } else if (match && match.free) text = "Not aligned: both play from the same time";
    $("#sync").textContent = text;
  }

  function report(t, match) {
    const times = { [leader]: t, [other[leader]]: match ? match.time : null };
    if (match && !inStep && playing) times[other[leader]] = now(other[leader]);
    for (const listener of listeners) listener(times, playing);
  }

  function seek(id, t) {
    leader = id;
    t = Math.min(Math.max(t, 0), Math.max(DATA.videos[id].duration - 0.001, 0));
    const copy = toCopy(id, t);
    place(id, t);
    stretch = stretchOf(id);
    if (copy.away > 0.5) t = now(id);
    veil(id, "");
    last = t;
    videos[id].playbackRate = 1;
    const match = follow(t, true);
    tell(match);
    if (copy.away > 0.5) $("#sync").textContent = "That moment is not embedded; this is the nearest that is.";
    report(t, match);
  }

  function play() {
    const duration = DATA.videos[leader].duration;
    if (now(leader) >= duration - 0.08) seek(leader, 0);
    playing = true;
    last = now(leader);
    stretch = stretchOf(leader);
    videos[leader].playbackRate = 1;
    videos[leader].play().catch(pause);
    button();
    requestAnimationFrame(tick);
  }
  function pause() {
    playing = false;
    videos.A.pause();
    videos.B.pause();
    button();
  }
  function tick() {
    if (!playing) return;
    const t = now(leader);
    // At the end of an embedded stretch the copy goes on with another one: stop there.
    if (videos[leader].ended || stretchOf(leader) !== stretch) return pause();
    last = t;
    const match = follow(t, false);
    tell(match);
    report(t, match);
    requestAnimationFrame(tick);
  }
  function button() {
    $("#play").textContent = playing ? "Pause" : "Play";
    $("#play").setAttribute("aria-pressed", String(playing));
  }
  function sound() {
    const chosen = $("#sound").value;
    for (const id of ["A", "B"]) videos[id].muted = id !== chosen;
  }

  $("#play").addEventListener("click", () => (playing ? pause() : play()));
  $("#in-step").addEventListener("change", (e) => {
    inStep = e.target.checked;
    if (inStep) seek(leader, now(leader));
  });
  $("#sound").addEventListener("change", sound);
  sound();

  return {
    seek, play, pause,
    toggle: () => (playing ? pause() : play()),
    step: (seconds) => { pause(); seek(leader, last === null ? 0 : last + seconds); },
    nudge: (seconds) => seek(leader, (last === null ? 0 : now(leader)) + seconds),
    frame: () => DATA.videos[leader].frame,
    listen: (f) => listeners.push(f),
    get leader() { return leader; },
    get playing() { return playing; },
  };
})();
