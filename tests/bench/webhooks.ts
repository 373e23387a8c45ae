import { eventually } from "../support/process";
import { digits } from "./catalogue";
import type { Row } from "./row";
import { ok, whole, withServer } from "./serving";

const calls = 30;
const customersPerCall = 1000;

/** Events of imported customers, from the import until the last of them has been received: signed, and its answer written down. */
export function measureWebhooks(): Promise<Row[]> {
	return withServer(
		async (server) => {
			let received = 0;
			const receiver = Bun.serve({
				port: 0,
				hostname: "127.0.0.1",
				fetch: async (request) => {
					await request.text();
					received += 1;
					return new Response();
				},
			});
			try {
				await ok(server, "POST", "/webhooks", { endpoint: receiver.url.href });
				const start = performance.now();
				for (let call = 0; call < calls; call += 1) {
					const id = (at: number) => `hooked-${digits(call * customersPerCall + at, 8)}`;
					const customers = Array.from({ length: customersPerCall }, (_, at) => ({
						id: id(at),
						name: null,
						email: null,
					}));
					await ok(server, "POST", "/customers/import", { customers });
				}
				await eventually(async () => (received >= calls * customersPerCall ? true : undefined), 120_000);
				const rate = received / ((performance.now() - start) / 1000);
				return [
					{ work: "webhooks, from the change to the receiver's answer", here: `${whole(rate)}/s`, goal: "5,000/s" },
				];
			} finally {
				receiver.stop(true);
			}
		},
		{ TOLLGATE_WEBHOOKS_ALLOW_PRIVATE: "1" },
	);
}
