import { HttpRefusal } from "../refusal";

export interface WaitLimits {
	readonly waitMsMax: number;
	/** The number of callers that wait at once; further ones get 503. */
	readonly waitersMax: number;
}

/**
 * A wait takes at most 15 s, and a connection may be idle for 30 s. So many waiters poll about six hundred times a
 * second, which takes a few hundredths of a core.
 */
export const pdfWaitLimits: WaitLimits = { waitMsMax: 15_000, waitersMax: 200 };

/** Rendering takes a few hundredths of a second. A queued one is polled less often. */
const pauseMsMin = 10;
const pauseMsMax = 320;

/** Seconds until a rejected caller may try again. */
const retryAfterSeconds = 2;

export type WaitForPdf = (number: string, look: () => Buffer | undefined, caller: AbortSignal) => Promise<Buffer>;

/**
 * Polls until the PDF exists, in short transactions with pauses. 503 with Retry-After if it takes too long, too many
 * callers wait, or the service stops. Ends if the caller disconnects.
 */
export function pdfWaits({ waitMsMax, waitersMax }: WaitLimits, stopping: AbortSignal): WaitForPdf {
	let waiting = 0;
	return async (number, look, caller) => {
		if (waiting >= waitersMax) throw notReady(number);
		waiting += 1;
		try {
			const end = performance.now() + waitMsMax;
			let pauseMs = pauseMsMin;
			while (performance.now() < end && !caller.aborted && !stopping.aborted) {
				await Bun.sleep(pauseMs);
				const bytes = look();
				if (bytes) return bytes;
				pauseMs = Math.min(pauseMs * 2, pauseMsMax);
			}
		} finally {
			waiting -= 1;
		}
		throw notReady(number);
	};
}

const notReady = (number: string): HttpRefusal =>
	new HttpRefusal(503, `The PDF of ${number} is not ready yet; ask again in ${retryAfterSeconds} seconds.`, {
		"Retry-After": String(retryAfterSeconds),
	});

/** `name` is the file name, without characters that a header cannot contain. */
export const pdfResponse = (name: string, bytes: Buffer): Response =>
	new Response(new Uint8Array(bytes), {
		headers: {
			"content-type": "application/pdf",
			"content-disposition": `inline; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "-")}.pdf"`,
		},
	});
