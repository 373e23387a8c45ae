import { testKey } from "../support/process";
import type { Measure } from "./measure";
import { loadRate, portOf, whole, withServer } from "./serving";

const shape = { seconds: 3, connections: 8, inFlight: 8 };

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-KEY: ${testKey}\r\n\r\n`;

/** Entitlement checks of the demo's customers, against a server that answers the same bytes without looking. */
export async function measureChecks(): Promise<Measure[]> {
	return withServer(
		async (server) => {
			const path = "/api/v1/customers/customer-acme/entitlements/check?featureId=feature-api-calls";
			const answer = JSON.stringify((await server.call("GET", path.replace("/api/v1", ""))).body);
			const bare = Bun.spawn(
				[
					process.execPath,
					"-e",
					`const s = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(${JSON.stringify(answer)}, { headers: { "content-type": "application/json" } }) }); console.log(s.port);`,
				],
				{ stdout: "pipe" },
			);
			const [chunk] = await Array.fromAsync(firstOf(bare.stdout));
			const ceiling = await loadRate({ ...shape, port: Number(new TextDecoder().decode(chunk)), request: get(path) });
			bare.kill();
			const rate = await loadRate({ ...shape, port: portOf(server), request: get(path) });
			return [
				{ name: "bare Bun.serve, requests/s (ceiling)", value: whole(ceiling) },
				{ name: "entitlement checks over HTTP, requests/s", value: whole(rate), ratio: rate / ceiling, aim: "0.25" },
			];
		},
		{ TOLLGATE_DEMO: "1" },
	);
}

async function* firstOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
	for await (const chunk of stream) {
		yield chunk;
		return;
	}
}
