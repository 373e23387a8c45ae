import type { Actor } from "../../kernel/work";
import type { OpenStreams } from "./streams";

/**
 * Reads a part only after the client has taken the former one, so that memory is bounded and other requests are served
 * in between.
 */
export function streamOfTexts(
	parts: Generator<string>,
	streams: OpenStreams,
	actor: Actor,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isEnded = false;
	const leave = streams.add(actor, () => {
		isEnded = true;
	});
	return new ReadableStream<Uint8Array>(
		{
			pull: async (controller) => {
				for (;;) {
					await Bun.sleep(0);
					if (isEnded) {
						leave();
						controller.error(new Error("The server is stopping."));
						return;
					}
					const { value, done } = nextOr(parts, leave);
					if (done) {
						leave();
						controller.close();
						return;
					}
					if (value === "") continue;
					controller.enqueue(encoder.encode(value));
					return;
				}
			},
			cancel: () => {
				leave();
				parts.return(undefined);
			},
		},
		{ highWaterMark: 0 },
	);
}

/** Returns the next part. An error ends the response. */
function nextOr(parts: Generator<string>, leave: () => void) {
	try {
		return parts.next();
	} catch (error) {
		leave();
		throw error;
	}
}
