/** One server-sent event. */
export interface ServerEvent {
	readonly event: string;
	readonly data: unknown;
}

/** Reads the events of a body; what is no event, such as a keep-alive, is told by undefined. */
export async function* serverEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent | undefined> {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return;
			text += decoder.decode(value, { stream: true });
			for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
				yield eventOf(text.slice(0, end).split("\n"));
				text = text.slice(end + 2);
			}
		}
	} finally {
		await reader.cancel().catch(() => {});
	}
}

function eventOf(lines: readonly string[]): ServerEvent | undefined {
	const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
	const event = field("event");
	const data = field("data");
	return event === undefined || data === undefined ? undefined : { event, data: JSON.parse(data) };
}
