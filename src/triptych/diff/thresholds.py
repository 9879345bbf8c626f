"""Every threshold of the measured comparison, with the measurement that set it.

Unless another is named, the measurements are from seven real clips (cut scenes, two of sign
language, bottles on a belt, cyclists, a talking head in a car, a title sequence; 176x144 to
1280x720, 2 to 7 s) and edits of them at light, medium and heavy strength. "Controls" are the same
clips re-encoded (H.264 CRF 23, 28, 33; HEVC; VP9), at half size by four scalers, and at 24 and
20 fps: they must come out as the same.
"""

from __future__ import annotations

# --- style and background ------------------------------------------------------------------

#: Saturation of B over A's, either way. Light edits (0.75): 0.74 to 0.76. Controls: 0.98 to 1.06;
#: a file whose matrix is not marked and is taken for the other (BT.601, BT.709): 0.91 to 1.11.
SATURATION_RATIO = 1.15
#: Turn of the hue, degrees. Light edits (10): 9.8 to 15. Controls: up to 3.5; an unmarked matrix
#: taken for the other: up to 6.4.
HUE_DEG = 7.5
#: Least RMS change of chroma, levels, to be called different: below it nobody sees it. Light
#: edits on the least colourful clip: 1.1. Controls: 0.35, of which no more is a change of colour.
CHROMA_LEVELS = 0.6
#: Gain of luma, either way, and what of it exposure (a factor on all light) does not explain.
#: Light edits (0.85): 0.849 to 0.851. Controls: 0.994 to 1.003. Blur 15x15: 0.979; noise 45: 0.96.
CONTRAST_RATIO = 1.08
UNEXPLAINED_RATIO = 1.05
#: Standard deviation of A's luma over blocks that a gain can be measured on, levels.
CONTRAST_SPREAD = 4.0
#: Change of brightness at A's mean: share of that mean, and levels. Light edits: -24 levels (added)
#: and 8 % (a factor of 0.92). Controls: up to 1.2 %, 1.1 levels; saturation, noise: 0.8 levels.
LEVEL_SHARE, LEVEL_LEAST = 0.03, 1.5
#: Change of the colour of a mid grey, chroma levels. Light edits (500 K either way): 2.8 to 4.1.
#: Controls and saturation: up to 1.4, which rounding of grey makes up.
TINT = 2.1
#: A stretch with another light: level and tint of a moment, and how alike its blocks must be
#: otherwise (correlation). Controls by moment: level up to 1.8, tint up to 1.6. A frame registered
#: wrongly under a zoom: level -5, correlation 0.984; registered ones 0.998 and more.
LEVEL_AT_MOMENT, TINT_AT_MOMENT, ALIKE_AT_MOMENT = 5.0, 3.5, 0.985
#: Blur that leads from A to B, sigma in pixels of the lower resolution, either way. Light edits
#: (5x5, sigma 1.1): 1.05 to 1.27. Controls: up to 0.47. A coding at 9 kb/s of a 176x144 clip that
#: viewers call coarse: 0.66. Small pasted boxes, whose edges are perfect: -0.35.
SOFTENING_PX = 0.58
#: The least share of that in the typical tile of the picture. Titles over clips: at most 0.28 px
#: there, light blur 1.0 and more, the coarse coding 0.72.
SOFTENING_TYPICAL = 0.6
#: What blur alone explains: SSIM of B with A blurred by that much. Gaussian blur: 0.97 and above;
#: the coarse coding: below 0.8.
BLUR_SSIM = 0.9
#: Noise that one side has more, levels. Light edits (sigma 15): 5.6 to 6.7 by this estimator in
#: what H.264 CRF 18 leaves. Controls and blur: up to 0.8.
GRAIN = 3.0
#: Bars: share of the width or height, and pixels. Light edits: 5 %. Controls: one pixel.
BARS_SHARE, BARS_PX = 0.015, 2
#: Spread of levels in a bar, whatever its level: re-encoded bars stay under 1.
PLAIN_BAR = 2.5
#: A bar of one video follows the picture where its place is dark (level) and even (levels from the
#: median, at half of its pixels) in the other at this share of the moments; less of the picture
#: than the last is out of view. So told of 14 pairs of a pillarboxed film, panned, turned, shaken,
#: with logos and other footage put in, and of one (wrongly) of 11 pairs with bars put over clips.
BARS_FOLLOW, BARS_DARK, BARS_EVEN, BARS_SEEN = 0.7, 70, 4, 0.002
#: What lies beside a bar differs from it by more, levels, along most of its border. Set by eye:
#: twice what may vary within a bar.
BAR_EDGE = 5.0
#: Correlation of the block means of matched, registered moments that are the same place. All
#: edits above: 0.98 and more.
SAME_PLACE = 0.9
#: Videos that do not match are called different only when anybody would: Hasler and Suesstrunk's
#: colourfulness ("not colourful" below 15, "moderately" from 33), and mean luma, levels.
GREY_COLOURFULNESS, PLAIN_COLOURFULNESS = 5.0, 15.0
GROSS_LEVEL = 70.0

# --- alignment, time, geometry -------------------------------------------------------------

#: Least similarity on the best line for B to show something of A. Unrelated pairs of the clips
#: above reach 0.27 to 0.59 with the framing that suits them best, edits 0.55 and more.
MATCH_SCORE = 0.25
#: Least agreement of what happens in both (see ``Registered.agreement``). Edits: 0.94 and more;
#: unrelated pairs, two takes in one room and two halves of a take: at most 0.24.
AGREEMENT = 0.5
#: So many different ways of playing A (directions, or speeds further apart than this logarithm)
#: in stretches of this many seconds and more are pieced together by chance: two halves of a take
#: of a conveyor belt, where bottle follows bottle, needed five. Real edits need one or two.
INCOHERENT, INCOHERENT_LOG, INCOHERENT_S = 4, 0.04, 0.5
#: The same for pictures in which nothing happens and that could not be registered.
STILL_SCORE = 0.85
#: Widest interval of the speed, either way, at which a speed is stated.
SPEED_INTERVAL = 0.05
#: Speeds nearer to 1 than this are the same: 24 against 23.976 frames a second is 0.001, the
#: smallest speed edit that people make is PAL's 25 against 24, 0.042.
SPEED = 0.01
#: The speed is the same only where its whole interval lies within this of 1: below PAL's 0.042.
#: Edits of five clips that keep the speed: 0.021 at most, but for one trim (0.032) and one shake.
SPEED_SAME = 0.035
#: Margin of the best match over other speeds, directions and turns below which, where nothing
#: happens, it shows one still picture. Coded again: 0.0; clips in which something happens are not
#: held against it.
STILL_MARGIN = 0.005
#: By how much the found orientation should exceed the others.
MIRROR_MARGIN = 0.05
#: Smallest turn that counts, degrees. Registration of re-encoded clips stays within 0.1.
ROTATION_DEG = 0.8
#: Smallest change of scale, and shift as a share of the frame, that count. Registration of
#: re-encoded clips stays within 0.003 and 0.002.
FRAMING_SCALE = 0.02
FRAMING_SHIFT = 0.012
#: Shortest stretch that counts as removed, inserted, repeated or moved, seconds.
TIMING_S = 0.3

# --- repeats -------------------------------------------------------------------------------

#: Shortest freeze that is told, seconds. Light edits: 0.5. What stands still in one only among
#: the other edits and controls of five clips: nothing of 0.3 and more.
FREEZE_S = 0.3
#: Held frames: share of those that move, least number, and how many times those of the other
#: video. Light edits (5 %): 0.044 and more, the other none. Controls: up to 0.008; a clip with
#: held frames of its own, matched a frame out: 0.04 in both.
HELD_SHARE, HELD_LEAST, HELD_TIMES = 0.025, 3, 2
#: The same share where the frame rates differ: a clip with held frames of its own, at 20 instead
#: of 30 a second, holds 0.03 where the faster one has moved on.
HELD_SHARE_UNEVEN = 0.08
#: Matched frames are practically equal while no block differs by more, levels. Still pictures coded
#: again at CRF 28: up to 2, of the finest detail: 9.
EQUAL_LEVELS = 16.0
#: Change of scale, of place (share of the frame) and angle (degrees) over the moments at which one
#: camera moves otherwise than the other. Re-encoded clips: below half of these.
CAMERA_VARIES = (0.012, 0.006, 0.5)

# --- regions -------------------------------------------------------------------------------

#: Smallest region, share of the display. Light edits (1 %): found as 1.2 to 2.0 %. What remained
#: of 90 other edits and controls of five clips: up to 0.5 %.
REGION_AREA = 0.0055
#: Smallest one that stands out (see ``CLEAR_SMALL`` of the measure). A saturated apple of 30x40
#: pixels in 1280x720 (0.13 %) is found as 0.21 %.
REGION_SMALL = 0.0012
#: Regions over more than this share of what was compared mean that the pictures do not fit.
REGIONS_MOST = 0.45
#: Correlation of a patch of A with the place in B where it was moved to, its least contrast
#: (standard deviation, levels) and side (pixels of the analysis picture).
MOVED_ALIKE, MOVED_CONTRAST, MOVED_SIDE = 0.8, 10.0, 10

# --- people, faces and shot scale ----------------------------------------------------------

#: Scores of people and faces that are sure, and that will do where the other video has a sure one.
#: Of 123 edits and controls of five clips, four moments each: people seen full on 0.54 and more,
#: the arm of one over bottles up to 0.52; faces 0.84 and more, tilted by 15 degrees 0.79, small and
#: askew under a helmet 0.76; what is none up to 0.73, the back of a head in a dissolve 0.78.
PERSON_SURE, PERSON_FAINT = 0.55, 0.2
FACE_SURE, FACE_FAINT = 0.8, 0.25
#: Correlation of blurred luma within a box from which both pictures show the same there, so that
#: a detector that finds somebody in one of them only is taken to have failed in the other.
PERSON_ALIKE = 0.8
#: How far beyond the border between two classes of shot scale both must lie, how much more one must
#: show, and the moments of a shot at which it is known. Set wide: a light crop (1.08) changes none.
SCALE_BEYOND, SCALE_RATIO, SCALE_MOMENTS = 1.1, 1.25, 2

# --- motion --------------------------------------------------------------------------------

#: Agreement of what happens from which the same moves in both. Edits of five clips that move
#: nothing: 0.94 and more; an object over a tenth of the picture: 0.83 to 0.94.
MOTION_AGREES = 0.8
#: How much more must move in one, and the amount (percent of the width a second) below which
#: nothing does. Set wide: no made edit changes motion alone.
MOTION_RATIO, MOTION_LEAST = 2.5, 1.0
#: Turn of the direction, degrees, and the share of all motion that must go one way.
MOTION_TURN_DEG, MOTION_ONE_WAY = 60.0, 0.6

# --- sound and speech ----------------------------------------------------------------------
# What measuring itself needs stands beside it: see measure/sound_compare.py (DIFFERS_DB and
# IDENTICAL_DB), measure/speech_words.py (EXCHANGED_DB) and measure/speech_doubt.py.

#: Shift against the picture that counts, seconds, beside how far the picture's own place may be
#: off. Lip sync is noticed from 0.045 s on (ITU-R BT.1359-1); copies of nine clips were placed
#: within 0.005 s. A clip 1.25 times as fast with its sound: 0.056, of which the picture leaves 0.06
#: open.
OFFSET_S = 0.03
#: Sounds that differ over this share of what can be heard are different altogether.
REPLACED_SHARE = 0.6
#: Speeds of sound and picture within this share of one another are the same.
SAME_SPEED = 0.02
#: Difference of integrated loudness that counts, LU. Copies of nine clips in AAC, MP3, Opus and at
#: 8 kHz stayed within 0.7, time-stretched ones within 1; the lightest edit to be found is 3.
LOUDNESS_LU = 1.5
#: More is allowed where the number of channels differs: programs mix two equal channels to one
#: with the same, or with 3 dB more, and the other way round with the same or 3 dB less.
CHANNELS_LU = 3.1
#: Word error rate from which speech in other sound is said to differ. Three synthetic voices that
#: read the same two texts (25 words each) came to 0 to 0.18 of one another, with words as sure as
#: 0.94 on both sides heard wrong; other texts and speakers to 1.0 and more.
OTHER_WORDS = 0.3
#: So many words of the model's assurance SURE are speech; fewer may be imagined in noise.
SPEECH_WORDS = 3

# --- camera --------------------------------------------------------------------------------

#: Drift of B's framing on A's over the clip: share of the frame, times, degrees. Light edits:
#: 0.047, 1.075, 2.9. Controls and all other edits but shake: up to 0.006, 1.004, 0.2.
DRIFT_SHIFT, DRIFT_ZOOM, DRIFT_DEGREES = 0.02, 1.03, 1.2
#: Jitter of B's framing on A's, share of the width. Light edits (0.3 % sigma): 0.0027 and more.
#: Controls and all other edits: up to 0.0005; a made tilt by 30 % in 4 s over a hand-held clip,
#: where frames do not meet exactly: 0.00125.
SHAKE = 0.0015
#: What a camera that stands still may seem to move over a shot by its own pictures, and what is a
#: movement that anybody sees (share of the frame; zoom and roll in proportion to the drift's
#: above), when each of the shot's steps but so many could be measured.
STANDS_STILL, MOVES_GROSSLY, STEPS_KNOWN = 0.02, 0.15, 0.8
#: A transition is the same when the other's is within this, seconds; and it is not counted this
#: near the edge of a matched stretch, where the other video has its own beginning or cut.
CUT_SLACK_S, EDGE_SLACK_S = 0.15, 0.3
#: A transition of at least this many seconds is gradual where the other's is a cut.
GRADUAL_S = 0.3
#: Change over a transition, of luma thumbnails of mean 0 and spread 1 (two shots that have nothing
#: in common: 1.4), and what of it the other may show and still lack the transition.
TRANSITION_CHANGE, LACKING_SHARE = 0.6, 0.4
