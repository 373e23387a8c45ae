import { eventually } from "../support/process";
import type { Row } from "./row";
import { whole, withServer } from "./serving";

const invoicesCount = 200;

/** Invoice PDFs through the whole way: asked for over HTTP, rendered by the thread, READY. */
export async function measureRenders(): Promise<Row[]> {
	return withServer(
		async (server) => {
			const ids = Array.from({ length: invoicesCount }, (_, at) => `bench-${at}`);
			const paths = await Promise.all(
				ids.map(async (id) => {
					await server.call("POST", "/customers", { id, name: `Customer ${id}` });
					await server.call("POST", "/subscriptions", {
						customerId: id,
						planId: "plan-pro",
						billingPeriod: "MONTHLY",
						charges: [{ type: "FEATURE", id: "feature-seats", quantity: 7 }],
					});
					const { body } = await server.call("GET", `/customers/${id}/invoices`);
					return `/customers/${id}/invoices/${body.data[0].invoiceId}/pdf`;
				}),
			);
			const start = performance.now();
			await Promise.all(paths.map((path) => server.call("POST", `${path}/generate`)));
			for (const path of paths)
				await eventually(async () =>
					(await server.call("GET", `${path}/status`)).body.data.status === "READY" ? true : undefined,
				);
			const rate = invoicesCount / ((performance.now() - start) / 1000);
			return [{ work: "invoice PDFs, asked for over HTTP until ready", here: `${whole(rate)}/s` }];
		},
		{ TOLLGATE_DEMO: "1" },
	);
}
