import { HttpRefusal } from "../refusal";

export interface WaitLimits {
	readonly waitMsMax: number;
	/** How many callers wait at once; who comes then is told to come again. */
	readonly waitersMax: number;
}

/**
 * Source for the wait: docs/interface/invoices.md, PDFs (10 to 30 s); the connection may be silent for 30. Our choice for the
 * waiters: so many look some six hundred times a second, a few hundredths of a processor.
 */
export const pdfWaitLimits: WaitLimits = { waitMsMax: 15_000, waitersMax: 200 };

/** A render takes a few hundredths of a second; one that has to queue for seconds is not asked for so often. */
const pauseMsMin = 10;
const pauseMsMax = 320;

/** Seconds after which a refused caller may ask again. */
const retryAfterSeconds = 2;

export type WaitForPdf = (number: string, look: () => Buffer | undefined, caller: AbortSignal) => Promise<Buffer>;

/**
 * Looks again and again until there is a PDF, in transactions of their own with pauses between them. 503 with Retry-After
 * when it takes too long, when too many wait, or when the service stops; it ends too when the caller has gone.
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

/** `name`: what a browser keeps it as, without characters that a header cannot hold. */
export const pdfResponse = (name: string, bytes: Buffer): Response =>
	new Response(new Uint8Array(bytes), {
		headers: {
			"content-type": "application/pdf",
			"content-disposition": `inline; filename="${name.replaceAll(/[^A-Za-z0-9._-]/g, "-")}.pdf"`,
		},
	});
