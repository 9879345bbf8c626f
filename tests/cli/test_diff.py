"""``triptych diff`` as a person or a script runs it: codes, streams, files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from triptych.record.report import json_schema

from .conftest import FAST, PROGRAM, Run, environment, start, write_clip

Result = subprocess.CompletedProcess[str]


def stripped(text: str) -> Any:
    """The report without what may differ between two runs."""
    data = json.loads(text)
    del data["created"]
    return data


def test_the_same_content_is_0_and_said_on_stdout(triptych: Run, base: Path, again: Path) -> None:
    done = triptych("diff", base, again, *FAST)
    assert (done.returncode, done.stderr) == (0, "")
    assert "base.mp4" in done.stdout
    assert "again.mp4" in done.stdout


def test_another_content_is_1(triptych: Run, base: Path, mirrored: Path) -> None:
    done = triptych("diff", base, mirrored, *FAST)
    assert (done.returncode, done.stderr) == (1, "")
    assert "mirrored" in done.stdout.splitlines()[0]


def test_a_file_is_the_same_as_itself(triptych: Run, base: Path) -> None:
    assert triptych("diff", base, base, *FAST).returncode == 0


def test_json_alone_on_stdout(triptych: Run, base: Path, mirrored: Path) -> None:
    done = triptych("diff", base, mirrored, *FAST, "--json", "-")
    assert (done.returncode, done.stderr) == (1, "")
    data = json.loads(done.stdout)
    jsonschema.validate(data, json_schema())
    assert [v["path"] for v in data["videos"]] == [str(base), str(mirrored)]
    assert data["alignment"]["mirrored"] == "horizontal"


def test_two_runs_give_the_same_bytes(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    for file in files:
        assert triptych("diff", base, mirrored, *FAST, "--json", file).returncode == 1
    texts = [
        [line for line in f.read_text(encoding="utf-8").splitlines() if '"created"' not in line]
        for f in files
    ]
    assert texts[0] == texts[1]


def test_every_kind_of_file_at_once(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    out = tmp_path / "folder"
    out.mkdir()
    wanted = {
        "--html": "page.html",
        "--json": "report.json",
        "--markers": "marks.csv",
        "--side-by-side": "both.mp4",
    }
    args = [x for option, name in wanted.items() for x in (option, str(out / name))]
    done = triptych("diff", base, mirrored, *FAST, *args)
    assert done.returncode == 1
    assert sorted(p.name for p in out.iterdir()) == sorted(wanted.values())
    for name in wanted.values():
        assert f"wrote {out / name}" in done.stderr
    assert (out / "page.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype")
    assert "triptych diff" in (out / "page.html").read_text(encoding="utf-8")
    assert stripped((out / "report.json").read_text(encoding="utf-8"))
    assert (out / "both.mp4").read_bytes()[4:8] == b"ftyp"
    quiet = triptych("diff", base, mirrored, *FAST, "-q", "--json", out / "report.json")
    assert quiet.stderr == ""


@pytest.mark.parametrize("wish", [{}, {"NO_COLOR": "1"}, {"TERM": "xterm-256color"}])
def test_no_colour_when_piped(
    triptych: Run, base: Path, mirrored: Path, wish: dict[str, str]
) -> None:
    done = triptych("diff", base, mirrored, *FAST, env=wish)
    assert "\x1b" not in done.stdout + done.stderr


def on_a_terminal(*args: str | Path, **env: str) -> str:
    """What a terminal of 80 columns is sent, stdout and stderr together."""
    pty = pytest.importorskip("pty", reason="terminals are only imitated on Unix")
    leader, follower = pty.openpty()
    with start(
        *args,
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env=environment(TERM="xterm-256color", COLUMNS="80", **env),
    ) as process:
        os.close(follower)
        sent = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # Linux ends a terminal so
                break
            if not part:
                break
            sent += part
        process.wait(timeout=60)
    os.close(leader)
    return sent.decode()


def test_colour_and_progress_on_a_terminal(base: Path, mirrored: Path) -> None:
    shown = on_a_terminal("diff", base, mirrored, *FAST)
    assert "\x1b[1;31m" in shown  # bold red, for what differs
    assert "%" in shown
    plain = on_a_terminal("diff", base, mirrored, *FAST, "-q", NO_COLOR="1")
    assert "\x1b[1;31m" not in plain
    assert "\x1b[2K" not in plain  # no line was drawn anew


def test_a_gone_reader_is_quiet(base: Path, mirrored: Path) -> None:
    with start(
        "diff", base, mirrored, *FAST, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        errors = process.stderr.read()
        assert process.wait(timeout=60) == 141
    assert errors == b""


def test_a_full_disk_behind_stdout_is_said(base: Path, mirrored: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    for extra in ([], ["--json", "-"]):
        with Path("/dev/full").open("wb") as full:
            done = subprocess.run(
                [*PROGRAM, "diff", base, mirrored, *FAST, *extra],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=60,
                env=environment(),
            )
        assert done.returncode == 2
        assert done.stderr == (
            "triptych: standard output: cannot be written: No space left on device\n"
        )


def test_an_output_that_cannot_be_written_is_2(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    done = triptych("diff", base, mirrored, *FAST, "--json", tmp_path / "file" / "x.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "x.json: cannot be written" in done.stderr
    done = triptych("diff", base, mirrored, *FAST, "--html", tmp_path)
    assert done.returncode == 2
    assert "is a folder" in done.stderr
    for option in ("--html", "--json", "--markers", "--side-by-side"):
        done = triptych("diff", "a", "b", option, "nowhere/x", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "nowhere does not exist" in done.stderr
        assert not (tmp_path / "nowhere").exists()


def test_devices_are_written_to_and_not_replaced(triptych: Run, base: Path, mirrored: Path) -> None:
    done = triptych(
        "diff", base, mirrored, *FAST, "--json", "/dev/stdout", "--markers", "/dev/null"
    )
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout[: done.stdout.rindex("\n}\n") + 3])["schema"] == "triptych.diff/1"
    assert Path("/dev/null").is_char_device()


BAD: dict[str, str] = {
    "missing.mp4": "no such file",
    "text.mp4": "",
    "empty.mp4": "empty",
    "no-images": "",
    "pipe": "pipe",
    "http://localhost:9/x.mp4": "--allow-url",
    "[red]x[/red]\x1b[31m\n.mp4": "no such file",  # the slash makes it a folder's file
}


@pytest.mark.parametrize(("name", "side"), [(name, "AB"[i % 2]) for i, name in enumerate(BAD)])
def test_what_cannot_be_used_is_one_line_and_2(
    triptych: Run, base: Path, tmp_path: Path, name: str, side: str
) -> None:
    (tmp_path / "text.mp4").write_text("not a video " * 50)
    (tmp_path / "empty.mp4").touch()
    (tmp_path / "no-images").mkdir()
    (tmp_path / "no-images" / "notes.txt").write_text("x")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
    args = [name, base] if side == "A" else [base, name]
    started = time.monotonic()
    done = triptych("diff", *args, *FAST, cwd=tmp_path)
    assert time.monotonic() - started < 60
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("triptych: ")
    assert "\x1b" not in done.stderr
    assert name.split("\x1b")[0] in done.stderr
    assert BAD[name] in done.stderr
    assert "unexpected" not in done.stderr


def test_no_permission_is_said(triptych: Run, base: Path, tmp_path: Path) -> None:
    locked = shutil.copy(base, tmp_path / "locked.mp4")
    locked.chmod(0)
    if os.access(locked, os.R_OK):
        pytest.skip("this user may read everything")
    done = triptych("diff", base, locked, *FAST)
    assert done.returncode == 2
    assert "locked.mp4: cannot be read: Permission denied" in done.stderr


@pytest.mark.parametrize(
    "name",
    [
        "-dash.mp4",
        "12:30.mp4",
        "http:x.mp4",
        "[red]x.mp4",
        "日本語.mp4",
        "a\nb.mp4",
        "%d.mp4",
    ],
)
def test_names_are_names(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path, name: str
) -> None:
    shutil.copy(mirrored, tmp_path / name)
    page = tmp_path / "page.html"
    done = triptych("diff", *FAST, "--no-video", "--html", page, "--", base, name, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert name.replace("\n", "\\n") in done.stdout
    assert page.exists()


def test_a_name_that_is_no_utf8(triptych: Run, base: Path, mirrored: Path, tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff\xfe.mp4")
    try:
        shutil.copy(mirrored, tmp_path / name)
    except OSError:
        pytest.skip("this file system takes no such name")
    done = triptych("diff", *FAST, base, name, "--json", "-", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)["videos"][1]["path"] == name
    assert triptych("diff", *FAST, base, name, cwd=tmp_path).returncode == 1


def test_stdin_is_a_video_and_can_be_shown(
    triptych: Run, base: Path, mirrored: Path, tmp_path: Path
) -> None:
    spool = tmp_path / "spool"
    spool.mkdir()
    page = tmp_path / "page.html"
    with mirrored.open("rb") as stdin:
        done = triptych(
            *("diff", base, "-", *FAST, "--json", "-", "--html", page),
            stdin=stdin,
            env={"TMPDIR": str(spool)},
        )
    assert done.returncode == 1, done.stderr
    assert [v["path"] for v in json.loads(done.stdout)["videos"]] == [str(base), "-"]
    assert page.exists()
    assert list(spool.iterdir()) == []


def test_stdin_that_is_no_video_is_named_as_the_user_did(triptych: Run, base: Path) -> None:
    done = triptych("diff", "-", base, *FAST, input="no video " * 100)
    assert done.returncode == 2
    assert done.stderr.startswith("triptych: -: ")


def test_three_videos_are_compared_each_with_the_first(
    triptych: Run, base: Path, again: Path, mirrored: Path, tmp_path: Path
) -> None:
    done = triptych(
        *("diff", base, again, mirrored, *FAST, "--json", "-"),
        *("--no-video", "--html", tmp_path / "all.html"),
    )
    assert done.returncode == 1
    reports = json.loads(done.stdout)
    for report in reports:
        jsonschema.validate(report, json_schema())
    assert [[v["path"] for v in r["videos"]] for r in reports] == [
        [str(base), str(again)],
        [str(base), str(mirrored)],
    ]
    assert len(list((tmp_path / "all_pages").glob("*.html"))) == 2
    index = (tmp_path / "all.html").read_text(encoding="utf-8")
    for page in (tmp_path / "all_pages").iterdir():
        assert f"all_pages/{page.name}" in index


def test_one_of_three_that_fails_is_an_element_and_2(
    triptych: Run, base: Path, again: Path, tmp_path: Path
) -> None:
    done = triptych("diff", base, "gone.mp4", again, *FAST, "--json", "-", cwd=tmp_path)
    assert done.returncode == 2
    failed, good = json.loads(done.stdout)
    assert failed == {
        "schema": "triptych.failure/1",
        "videos": [str(base), "gone.mp4"],
        "error": "gone.mp4: no such file",
    }
    assert good["schema"] == "triptych.diff/1"
    assert done.stderr == "triptych: gone.mp4: no such file\n"
    listed = triptych("diff", base, "gone.mp4", again, *FAST, cwd=tmp_path)
    assert listed.returncode == 2
    assert listed.stdout.startswith("failed     gone.mp4  gone.mp4: no such file\n")
    assert listed.stderr == "triptych: gone.mp4: no such file\n"


def test_one_fault_of_many_pairs_is_said_once(triptych: Run, base: Path, tmp_path: Path) -> None:
    done = triptych("diff", "gone.mp4", base, base, *FAST, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.count("  gone.mp4: no such file\n") == 2
    assert done.stderr == "triptych: gone.mp4: no such file\n"


@pytest.fixture(scope="module")
def two_folders(base: Path, mirrored: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("folders")
    for side in ("old", "new"):
        (root / side / "sub").mkdir(parents=True)
        shutil.copy(base, root / side / "same.mp4")
        shutil.copy(mirrored if side == "new" else base, root / side / "sub" / "turned.mp4")
    return root


def test_two_folders_file_by_file(triptych: Run, two_folders: Path, tmp_path: Path) -> None:
    done = triptych(
        *("diff", "old", "new", *FAST, "--json", "-", "--no-video", "--html", tmp_path / "out"),
        cwd=two_folders,
    )
    assert done.returncode == 1, done.stderr
    data = json.loads(done.stdout)
    assert data["schema"] == "triptych.folders/1"
    assert [p["name"] for p in data["pairs"]] == ["same.mp4", "sub/turned.mp4"]
    assert [p["outcome"] for p in data["pairs"]] == ["same", "different"]
    assert data["pairs"][0]["report"]["verdict"] == "B is byte for byte A"
    for pair in data["pairs"]:
        jsonschema.validate(pair["report"], json_schema())
    for pair in data["pairs"][1:]:
        assert (tmp_path / "out" / pair["page"]).is_file()
        assert pair["page"] in (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    listed = triptych("diff", "old", "new", *FAST, cwd=two_folders)
    assert listed.returncode == 1
    assert "same       same.mp4  B is byte for byte A\n" in listed.stdout
    assert [line.split()[1] for line in listed.stdout.splitlines()] == [
        "same.mp4",
        "sub/turned.mp4",
    ]


def test_folders_that_are_the_same_are_0(triptych: Run, two_folders: Path) -> None:
    assert triptych("diff", "old", "old", *FAST, cwd=two_folders).returncode == 0


def test_a_broken_file_in_a_folder_is_2_and_the_rest_is_compared(
    triptych: Run, two_folders: Path, tmp_path: Path
) -> None:
    shutil.copytree(two_folders / "old", tmp_path / "old")
    (tmp_path / "old" / "same.mp4").write_text("broken")
    done = triptych("diff", tmp_path / "old", two_folders / "new", *FAST, "--json", "-")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "same.mp4" in done.stderr
    outcomes = [p["outcome"] for p in json.loads(done.stdout)["pairs"]]
    assert outcomes == ["failed", "different"]


def test_a_file_on_one_side_only_is_a_difference(
    triptych: Run, two_folders: Path, tmp_path: Path
) -> None:
    shutil.copytree(two_folders / "old", tmp_path / "old")
    (tmp_path / "old" / "same.mp4").unlink()
    done = triptych("diff", two_folders / "old", tmp_path / "old", *FAST)
    assert done.returncode == 1
    assert "only in A  same.mp4" in done.stdout


def test_a_folder_and_a_file_are_not_compared(
    triptych: Run, two_folders: Path, base: Path, tmp_path: Path
) -> None:
    done = triptych("diff", two_folders / "old", base)
    assert done.returncode == 2
    assert "two at a time" in done.stderr
    done = triptych("diff", tmp_path, tmp_path)
    assert done.returncode == 2
    assert "no videos in it, nor in" in done.stderr


def test_a_folder_of_numbered_images_is_one_video(triptych: Run, tmp_path: Path) -> None:
    from PIL import Image

    from .conftest import picture

    frames = tmp_path / "frames"
    frames.mkdir()
    for i in range(30):
        Image.fromarray(picture(i / 15)).save(frames / f"f{i + 17:04d}.png")
    clip = write_clip(tmp_path / "clip.mp4", crf=10)
    done = triptych("diff", frames, clip, "--fps", "15", *FAST, "--json", "-")
    assert done.returncode in (0, 1), done.stderr
    data = json.loads(done.stdout)
    assert data["videos"][0]["frames"] == 30
    assert data["alignment"]["speed"] == pytest.approx(1, abs=0.02)


def test_ctrl_c_during_a_run_leaves_nothing(drawn: tuple[Path, Path], tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("needs /proc to see when the run is under way")
    spool, out = tmp_path / "spool", tmp_path / "out"
    spool.mkdir()
    out.mkdir()
    a, b = drawn
    with (
        a.open("rb") as stdin,
        start(
            *("diff", "-", b, "--html", out / "x.html", "--json", out / "x.json"),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(TMPDIR=str(spool)),
        ) as process,
    ):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and process.poll() is None:
            if _reads(process.pid, b):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert (process.returncode, output, errors) == (130, b"", b"triptych: interrupted\n")
    assert list(spool.iterdir()) == []
    assert list(out.iterdir()) == []


def _reads(pid: int, path: Path) -> bool:
    """Whether the process has ``path`` open."""
    try:
        return any(os.path.realpath(fd) == str(path) for fd in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def test_the_program_needs_no_ffmpeg(base: Path, mirrored: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, "diff", base, mirrored, *FAST, "--json", "-"],
        env=environment(PATH=str(tmp_path), LANG="C", LC_ALL="C"),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout)
