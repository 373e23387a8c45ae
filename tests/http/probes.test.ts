import { expect, test } from "bun:test";
import { composeProbes, createApp } from "../../src/app";
import { world } from "../support/world";

const headers: ReadonlyArray<Readonly<Record<string, string>>> = [
	{},
	{ "x-request-id": "mine-1" },
	{ "x-request-id": "not sane!" },
	{ "x-api-key": "server-nobody" },
	{ "x-forwarded-proto": "https" },
	{ accept: "text/html" },
];

test.each(["ready", "not ready"])(
	"a service that is %s says so before the rest is there as it does later",
	async (how) => {
		const ours = world();
		const services = { ...ours.services, notReady: () => (how === "ready" ? [] : ["writer"]) };
		const [early, whole] = [composeProbes(services), createApp(services)];
		await Promise.all([early.modules, whole.modules]);
		for (const path of ["/healthz", "/readyz", "/readyz?a=z"])
			for (const sent of headers) {
				const shown = async (app: typeof early) => {
					const answer = await app.handle(new Request(`http://localhost${path}`, { headers: sent }));
					const found = Object.fromEntries(answer.headers);
					const id = found["x-request-id"] ?? "";
					if (id !== sent["x-request-id"]) found["x-request-id"] = id.replaceAll(/[0-9a-f]/g, "x");
					return { status: answer.status, headers: found, body: await answer.text() };
				};
				const [one, other] = [await shown(early), await shown(whole)];
				expect(one).toEqual(other);
				expect(one.status).toBe(how === "ready" || path === "/healthz" ? 200 : 503);
			}
	},
);
