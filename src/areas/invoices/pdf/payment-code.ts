import { encode } from "uqr";
import type { Canvas } from "./canvas";
import { margin } from "./geometry";

/** The width of the code in points, about three centimetres, and the space below it. */
const width = 86;
const gap = 10;

/** The largest version that EPC069-12 permits, and its level of error correction. */
const versionMax = 13;

/** Places a SEPA QR code. Each row of modules is a few boxes, so the bytes depend on the text alone. */
export function layPaymentCode(canvas: Canvas, text: string | undefined): void {
	if (text === undefined) return;
	const { data, size } = encode(text, { ecc: "M", boostEcc: false, maxVersion: versionMax, border: 0 });
	canvas.ensure(width + gap);
	const module = width / size;
	data.forEach((row, at) => {
		for (const { from, to } of runsOf(row))
			canvas.box(margin + from * module, canvas.y + at * module, (to - from) * module, module, 0, "ink", true);
	});
	canvas.y += width + gap;
}

/** Returns the runs of dark modules of a row. */
function runsOf(row: readonly boolean[]): Array<{ readonly from: number; readonly to: number }> {
	const runs: Array<{ from: number; to: number }> = [];
	row.forEach((isDark, at) => {
		const last = runs.at(-1);
		if (!isDark) return;
		if (last?.to === at) last.to = at + 1;
		else runs.push({ from: at, to: at + 1 });
	});
	return runs;
}
