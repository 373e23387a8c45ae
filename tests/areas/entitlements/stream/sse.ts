/** One received event. */
export interface Heard {
	readonly event: string;
	// biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON.
	readonly data: any;
}

/** Reads server-sent events, one after the other; undefined when the stream has ended. */
export function reading(body: ReadableStream<Uint8Array>) {
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	const next = async (): Promise<Heard | undefined> => {
		for (;;) {
			const end = text.indexOf("\n\n");
			if (end >= 0) {
				const lines = text.slice(0, end).split("\n");
				text = text.slice(end + 2);
				const event = lines.find((line) => line.startsWith("event: "))?.slice(7);
				const data = lines.find((line) => line.startsWith("data: "))?.slice(6);
				if (event !== undefined && data !== undefined) return { event, data: JSON.parse(data) };
				continue;
			}
			const { done, value } = await reader.read();
			if (done) return undefined;
			text += decoder.decode(value, { stream: true });
		}
	};
	return {
		next,
		/** Returns the first matching event. Skips the events before it. */
		until: async (fits: (heard: Heard) => boolean): Promise<Heard> => {
			for (;;) {
				const heard = await next();
				if (!heard) throw new Error("The stream ended before that came.");
				if (fits(heard)) return heard;
			}
		},
		stop: () => reader.cancel(),
	};
}

/** Opens a stream of a running server. */
export async function follow(url: string, query: string, key: string) {
	const response = await fetch(`${url}/api/v1/stream/entitlements?${query}`, { headers: { "x-api-key": key } });
	if (!response.body || response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
	return { response, ...reading(response.body) };
}
