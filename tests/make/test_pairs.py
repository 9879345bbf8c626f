"""Whole sets: what is written, what is kept, and what a run that was cut short leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import triptych.make.pairs as pairs_module
from triptych.make.pairs import Manifest, make_pairs
from triptych.record.errors import NotFoundError, OutputError, SourceError, UsageError
from triptych.record.report import ASPECTS

CHOICE = ["hue", "gain", "speed", "crf", "codec", "remux", "trim"]


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]


def probe(path: Path, what: str, stream: str = "v:0") -> str:
    return subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", stream, "-count_frames", "-show_entries",
         what, "-of", "csv=p=0", f"file:{path}"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip


@pytest.fixture(scope="module")
def made(files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Manifest:
    clips = [files[k] for k in ("sound", "quiet", "short", "text", "still")]
    return make_pairs(clips, tmp_path_factory.mktemp("set") / "out", n=30, edits=CHOICE)


def test_each_pair_has_its_files_and_its_truth(made: Manifest) -> None:
    truth = lines(made.folder / "truth.jsonl")
    assert truth == made.pairs
    assert (len(truth), made.made, made.kept) == (30, 30, 0)
    assert len({p["id"] for p in truth}) == 30
    known = {f"{d}: {a}" for d, names in ASPECTS.items() for a in names}
    for pair in made.pairs:
        assert (made.folder / pair["a"]).is_file()
        assert (made.folder / pair["b"]).is_file()
        assert set(pair["must"]) | set(pair["may"]) <= known
        assert not set(pair["must"]) & set(pair["may"])
        different = [f for f in pair["facts"] if f["relation"] == "different"]
        assert [f"{f['dimension']}: {f['aspect']}" for f in different] == pair["must"]
        assert all(f["expected"] for f in different)
        same = {f"{f['dimension']}: {f['aspect']}" for f in pair["facts"]} - set(pair["must"])
        assert len(same) == 3 and not same & set(pair["may"])
        frames = float(probe(made.folder / pair["b"], "stream=nb_read_frames"))
        assert frames / 20 == pytest.approx(pair["b_seconds"], abs=0.001)
    written = {p.name for p in (made.folder / "videos").iterdir()}
    assert written == {Path(p["b"]).name for p in made.pairs}


def test_controls_differ_in_the_file_alone(made: Manifest) -> None:
    controls = {p["id"]: p for p in made.pairs if p["strength"] == "control"}
    assert controls and all(p["must"] == p["may"] == [] for p in controls.values())
    codecs = {
        probe(made.folder / p["b"], "stream=codec_name") for p in controls.values()
    }  # fmt: skip
    assert codecs == {"h264", "hevc", "vp9"}
    for pair in controls.values():
        if pair["edits"][0]["name"] == "remux":
            command = ["ffmpeg", "-v", "error", "-i", "", "-map", "0:v", "-f", "md5", "-"]
            sums = []
            for side in ("a", "b"):
                command[4] = str(made.folder / pair[side])
                sums.append(subprocess.run(command, capture_output=True, check=True).stdout)
            assert sums[0] == sums[1]


def test_a_re_encoded_track_is_not_shifted(made: Manifest) -> None:
    """The delay of AAC and Opus must be declared, or a control would hold a false offset."""
    import numpy as np

    def heard(path: Path) -> np.ndarray:
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(path), "-f", "f32le", "-ac", "1", "-ar", "16000",
             "-"], capture_output=True, check=True,
        ).stdout  # fmt: skip
        return np.frombuffer(raw, np.float32)

    looked = 0
    for pair in made.pairs:
        if pair["edits"][0]["name"] in ("crf", "codec") and pair["clip"] == "sound.mp4":
            a, b = heard(made.folder / pair["a"]), heard(made.folder / pair["b"])
            n = 2**17
            cross = np.fft.irfft(np.fft.rfft(b, n) * np.conj(np.fft.rfft(a, n)))
            lag = int(cross.argmax())
            assert abs(lag - n if lag > n // 2 else lag) <= 8  # half a millisecond
            looked += 1
    assert looked >= 2


def test_speed_lasts_as_long_as_it_should(made: Manifest) -> None:
    speeds = [p for p in made.pairs if p["edit"] == "speed"]
    assert speeds
    for pair in speeds:
        factor = pair["edits"][0]["parameter"]
        assert pair["alignment"]["speed"] == factor
        lasting = float(probe(made.folder / pair["b"], "stream=duration"))
        assert lasting == pytest.approx(4.0 / factor, abs=0.051)


def test_what_was_left_out_says_why(made: Manifest) -> None:
    left = {(r["clip"], r["edit"]): r["reason"] for r in made.left_out}
    assert left == {
        (r["clip"], r["edit"]): r["reason"] for r in lines(made.folder / "left_out.jsonl")
    }
    assert "too short: 1.00 s" in str(left["short.mp4", None])
    assert "cannot be opened" in str(left["text.mp4", None]) or "not a video" in str(
        left["text.mp4", None]
    )
    assert left["quiet.mp4", "gain"] == "the clip has no sound"
    assert "motion" in str(left["still.mp4", "speed"])


def test_the_same_request_gives_the_same_bytes(
    made: Manifest, files: dict[str, Path], tmp_path: Path
) -> None:
    clips = [files[k] for k in ("sound", "quiet", "short", "text", "still")]
    again = make_pairs(clips, tmp_path / "again", n=30, edits=CHOICE, workers=1)
    for name in ("truth.jsonl", "left_out.jsonl", "pairs.json", "checklist.json"):
        assert (again.folder / name).read_bytes() == (made.folder / name).read_bytes()
    for pair in made.pairs:
        for side in ("a", "b"):
            one, other = (m.folder / pair[side] for m in (made, again))
            assert one.read_bytes() == other.read_bytes(), pair[side]
    other = make_pairs(clips[:2], tmp_path / "other", n=4, seed=1, edits=CHOICE)
    assert not {p["settings"] for p in other.pairs} & {p["settings"] for p in made.pairs}


def test_running_again_makes_only_what_is_missing(files: dict[str, Path], tmp_path: Path) -> None:
    first = make_pairs([files["sound"]], tmp_path / "set", n=6, edits=CHOICE)
    truth = (tmp_path / "set" / "truth.jsonl").read_bytes()
    gone, stale = first.pairs[1], first.pairs[3]
    (first.folder / gone["b"]).unlink()
    kept = [p for p in first.pairs if p is not stale]
    torn = "".join(json.dumps(p) + "\n" for p in kept) + json.dumps(stale)[:50]
    (first.folder / "truth.jsonl").write_text(torn)
    before = (first.folder / first.pairs[0]["b"]).stat().st_mtime_ns
    again = make_pairs([files["sound"]], tmp_path / "set", n=6, edits=CHOICE)
    assert (again.made, again.kept) == (2, 4)
    assert (first.folder / "truth.jsonl").read_bytes() == truth
    assert (first.folder / first.pairs[0]["b"]).stat().st_mtime_ns == before
    assert (first.folder / gone["b"]).is_file()


def test_a_killed_run_leaves_no_half_pair(files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "set"
    code = (
        "import sys; from triptych.make.pairs import make_pairs;"
        f"make_pairs([sys.argv[1]], sys.argv[2], n=14, edits={CHOICE!r})"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(files["sound"]), str(out)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if (out / "truth.jsonl").exists() and (out / "truth.jsonl").read_bytes().count(b"\n") >= 2:
            break
        time.sleep(0.01)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    cut_short = [json.loads(r) for r in (out / "truth.jsonl").read_text().splitlines()]
    assert 2 <= len(cut_short) < 14
    for pair in cut_short:
        probe(out / pair["b"], "stream=nb_read_frames")
    whole = make_pairs([files["sound"]], out, n=14, edits=CHOICE)
    assert whole.kept >= len(cut_short)
    assert len(whole.pairs) == 14
    assert not list(out.rglob(".*"))
    straight = make_pairs([files["sound"]], tmp_path / "straight", n=14, edits=CHOICE)
    assert (out / "truth.jsonl").read_bytes() == (straight.folder / "truth.jsonl").read_bytes()


def test_foreign_folders_and_other_sets_are_not_touched(
    files: dict[str, Path], tmp_path: Path
) -> None:
    foreign = tmp_path / "photos"
    foreign.mkdir()
    (foreign / "holiday.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        make_pairs([files["sound"]], foreign, n=1)
    assert [p.name for p in foreign.iterdir()] == ["holiday.txt"]
    with pytest.raises(UsageError, match="is a file"):
        make_pairs([files["sound"]], foreign / "holiday.txt", n=1)
    make_pairs([files["sound"]], tmp_path / "set", n=1, edits=["hue"])
    with pytest.raises(UsageError, match=r"another set of pairs .*seed"):
        make_pairs([files["sound"]], tmp_path / "set", n=1, seed=1, edits=["hue"])
    (tmp_path / "set" / "note.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds other files"):
        make_pairs([files["sound"]], tmp_path / "set", n=1, edits=["hue"])


def test_a_full_disk_is_an_error_and_leaves_no_half_pair(
    files: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "set"
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "from triptych.make.pairs import make_pairs\n"
        "from triptych.record.errors import OutputError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))\n"
        "try:\n    make_pairs([sys.argv[1]], sys.argv[2], n=3, edits=['noise'])\n"
        "except OutputError as e:\n    print('OutputError', e); sys.exit(7)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(files["quiet"]), str(out)], capture_output=True, text=True
    )
    assert done.returncode == 7, done.stderr
    assert "cannot be written" in done.stdout and "\n" not in done.stdout.strip()
    # What was begun is there, and nothing that counts: no video, whole or half, and no line.
    assert (out / "pairs.json").is_file()
    assert list((out / "videos").iterdir()) == []
    assert not (out / "truth.jsonl").exists() or lines(out / "truth.jsonl") == []


def test_a_failed_write_stops_the_run_with_what_was_done_kept(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = pairs_module.write_clip, []

    def failing(*arguments: object) -> None:
        calls.append(1)
        if len(calls) > 3:  # the A side and two pairs
            raise OutputError("disk full")
        real(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(pairs_module, "write_clip", failing)
    with pytest.raises(OutputError):
        make_pairs([files["quiet"]], tmp_path / "set", n=6, edits=["hue", "blur"], workers=1)
    assert len(lines(tmp_path / "set" / "truth.jsonl")) == 2


def test_arguments_that_make_no_sense(files: dict[str, Path], tmp_path: Path) -> None:
    out = tmp_path / "set"
    with pytest.raises(UsageError, match="no clips"):
        make_pairs([], out)
    with pytest.raises(UsageError, match="at least 1"):
        make_pairs([files["sound"]], out, n=0)
    with pytest.raises(UsageError, match="no edit"):
        make_pairs([files["sound"]], out, edits=["../x"])
    with pytest.raises(UsageError, match="window"):
        make_pairs([files["sound"]], out, window_s=600)
    with pytest.raises(NotFoundError):
        make_pairs([tmp_path / "none.mp4"], out)
    assert not out.exists()
    with pytest.raises(SourceError, match="no clip can be used: too short"):
        make_pairs([files["short"]], out)


def test_names_are_data(files: dict[str, Path], tmp_path: Path) -> None:
    for name in ("a b;[c],'d'.mp4", "a b_[c] d.mp4", "..mp4", "\u65e5\u672c.mp4"):
        (tmp_path / name).write_bytes(files["quiet"].read_bytes())
    clips = sorted(tmp_path.glob("*.mp4"))
    result = make_pairs(clips, tmp_path / "set", n=8, edits=["hue", "crf"])
    assert {p["clip"] for p in result.pairs} <= {c.name for c in clips}
    assert len(list((tmp_path / "set" / "sources").iterdir())) == len(clips)
    for path in (tmp_path / "set").rglob("*"):
        assert path.name.isascii() and not set(path.name) & set(" ;[]',")


def test_a_long_clip_is_cut_to_a_window_of_the_seeds_choice(
    files: dict[str, Path], tmp_path: Path
) -> None:
    starts = set()
    for seed in (0, 1):
        made = make_pairs(
            [files["other"]], tmp_path / str(seed), n=1, seed=seed, edits=["hue"], window_s=3.5
        )
        (pair,) = made.pairs
        start, end = pair["window_s"]
        assert end - start == pytest.approx(3.5)
        assert float(probe(made.folder / pair["a"], "stream=duration")) == pytest.approx(3.5)
        starts.add(start)
    assert len(starts) == 2


def test_real_clips_give_pairs_of_every_kind(clips: Path, tmp_path: Path) -> None:
    made = make_pairs(
        [clips / "skv_carphone_pristine.mp4", clips / "decord_pancake.mkv"], tmp_path / "set",
        n=12, edits=["speed", "mirror", "hue", "blur", "text", "gain"], window_s=3,
        max_width=160,
    )  # fmt: skip
    assert len(made.pairs) == 12
    assert {p["edit"] for p in made.pairs} == {"speed", "mirror", "hue", "blur", "text", "gain"}
