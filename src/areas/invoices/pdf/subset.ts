import { assert } from "../../../kernel/errors";
import { type EmbeddedFace, faceBytes } from "./faces";
import { harfBuzz, type Subsetter } from "./harfbuzz";

/** From HarfBuzz's headers. */
const noHinting = 0x1;
const notdefOutline = 0x40;
const writableMemory = 2;

/** HarfBuzz draws a mark that follows no letter on this character. */
const dottedCircle = 0x25cc;

const opened = new Map<EmbeddedFace, number>();

function openFace(subsetter: Subsetter, face: EmbeddedFace): number {
	const known = opened.get(face);
	if (known !== undefined) return known;
	const bytes = faceBytes(face);
	const blob = subsetter.call("hb_blob_create", subsetter.allocate(bytes), bytes.length, writableMemory, 0, 0);
	const pointer = subsetter.call("hb_face_create", blob, 0);
	opened.set(face, pointer);
	return pointer;
}

/**
 * Returns a TrueType font with just these characters and the glyphs that shaping makes of them, so that the PDF library parses and
 * embeds kilobytes, not megabytes. Same characters, same bytes.
 */
export function subsetFace(face: EmbeddedFace, codes: Iterable<number>): Uint8Array {
	const { subsetter } = harfBuzz();
	const input = subsetter.call("hb_subset_input_create_or_fail");
	subsetter.call("hb_subset_input_set_flags", input, noHinting | notdefOutline);
	const characters = subsetter.call("hb_subset_input_unicode_set", input);
	for (const code of [dottedCircle, ...codes]) subsetter.call("hb_set_add", characters, code);
	const subset = subsetter.call("hb_subset_or_fail", openFace(subsetter, face), input);
	assert(subset !== 0, `HarfBuzz cuts the face ${face}`);
	const blob = subsetter.call("hb_face_reference_blob", subset);
	const bytes = subsetter.copy(subsetter.call("hb_blob_get_data", blob, 0), subsetter.call("hb_blob_get_length", blob));
	subsetter.call("hb_blob_destroy", blob);
	subsetter.call("hb_face_destroy", subset);
	subsetter.call("hb_subset_input_destroy", input);
	return bytes;
}
