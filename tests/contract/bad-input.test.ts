import { afterAll, describe, expect, test } from "bun:test";
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createApp } from "../../src/app";
import { type Scope, scopeResources } from "../../src/areas/access/rules.actors";
import { accepting, collectorOf } from "../areas/collection/scripted";
import { rendererOf } from "../areas/invoices/support";
import { type Answer, type CallOptions, longText } from "../support/world";
import { shapeOf } from "./contract";
import { people } from "./people";
import { isError } from "./refusal";
import { customersOwn, keyless, templates, testedElsewhere } from "./routes";
import type { Template } from "./routes/template";
import { deliveryId, play } from "./scenario";

const { here, exchanges } = await play();
const expiredKey = here.expiredKey();
const mebibyte = 1024 * 1024;

/** A body with a thousand objects, or with all prices of a plan, may have 8 MiB; everything else at most one. */
const bulkRoutes = new Set([
	"POST /events",
	"POST /usage",
	"POST /customers/import",
	"POST /customers/:id/budgets/plan",
	"POST /customers/:id/budgets/apply",
	"POST /subscriptions/import",
	"PATCH /plans/:id",
	"PATCH /addons/:id",
	"POST /plans/:id/preview",
	"POST /addons/:id/preview",
	"POST /contracts/:id/billing/items",
	"POST /credits/consumption/async",
]);
const tooLarge = { bulk: JSON.stringify(longText(8 * mebibyte)), other: JSON.stringify(longText(mebibyte)) };
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The routes of the application itself, as `METHOD /path` below `/api/v1`. */
const mounted = createApp(here.services)
	.routes.filter(({ path }) => path.startsWith("/api/v1"))
	.map(({ method, path, hooks }) => {
		const below = path.replace("/api/v1", "").replace(/\/$/, "");
		return { name: `${method} ${below}`, method, path: below, hooks };
	});

const madeBy = (path: string, pick: (data: Answer["body"]) => string): string => {
	const made = exchanges.findLast((one) => one.path.endsWith(path));
	return pick(made?.answer.body.data);
};
function keyNamed(name: string): string {
	return madeBy(
		"/api-keys",
		(keys) => keys.find(({ displayName }: { displayName: string }) => displayName === name).id,
	);
}
function requested(amount: number): string {
	const made = exchanges.find(
		({ path, answer }) => path.endsWith("/budget-requests") && answer.body.data.amount === amount,
	);
	return made?.answer.body.data.id;
}
const ids: Readonly<Record<string, string>> = {
	"{invoice}": madeBy("/customers/acme/invoices", ([first]) => first.invoiceId),
	"{unpaid}": madeBy("/customers/parent/invoices", ([first]) => first.invoiceId),
	"{payment}": madeBy("/payments", ({ paymentId }) => paymentId),
	"{partlyPaid}": madeBy("/payments", ({ invoiceId }) => invoiceId),
	"{receipt}": madeBy("/receipts", ({ receiptId }) => receiptId),
	"{dispute}": madeBy("/disputes", ({ disputeId }) => disputeId),
	"{allocation}": madeBy("/receipts", ({ allocations: [first] }) => first.allocationId),
	"{creditNote}": madeBy("/credit-note", ({ creditNoteId }) => creditNoteId),
	"{environment}": here.environmentId,
	"{alert}": madeBy("/usage-alerts", ({ id }) => id),
	"{webhook}": madeBy("/webhooks", ({ id }) => id),
	"{delivery}": deliveryId,
	"{bankImport}": madeBy("/bank-imports", ([{ importId }]) => importId),
	"{mandate}": madeBy("/mandates", ([{ mandateId }]) => mandateId),
	"{debit}": madeBy("/direct-debits", ([{ debitId }]) => debitId),
	"{debitFile}": madeBy("/direct-debit-files", ([{ fileId }]) => fileId),
	"{bankEntry}": madeBy("/bank-entries", ([{ entryId }]) => entryId),
	"{task}": madeBy("/subscriptions/import", ({ taskId }) => taskId),
	"{reservation}": madeBy("/reservations", ({ reservation }) => reservation.id),
	"{approvable}": requested(10),
	"{declinable}": requested(20),
	"{entity}": madeBy("/legal-entities", ({ id }) => id),
	"{grant}": madeBy("/credits/grants", ({ id }) => id),
	"{keptKey}": keyNamed("Kept"),
	"{rotatedKey}": keyNamed("Rotated"),
	"{endedKey}": keyNamed("Ended"),
	"{connection}": madeBy("/provider-connections", ([first]) => first.id),
	"{methodPage}": madeBy("/payment-methods/setup", ({ id }) => id),
	"{method}": madeBy("/customers/parent/payment-methods", ([first]) => first.id),
	"{attempt}": madeBy("/attempts", ([first]) => first.id),
	"{refund}": madeBy("/refunds", ([first]) => first.id),
	"{checkout}": madeBy("/checkout-sessions", ({ id }) => id),
	"{simulation}": madeBy("/simulate", ({ taskId }) => taskId),
};
const filled = (path: string): string => path.replace(/\{\w+\}/g, (name) => ids[name] ?? name);

/** The renderer's thread: a route that waits for a PDF gets it. */
const { runRenderer } = rendererOf(here);
const rendering = setInterval(() => {
	const at = here.woken.indexOf("renderer");
	if (at < 0) return;
	here.woken.splice(at, 1);
	void runRenderer();
}, 50);
/** The collector's thread: a route that waits for a provider gets its answer. */
const collector = collectorOf(here, accepting());
const collecting = setInterval(() => void collector.drain(), 50);
afterAll(() => {
	clearInterval(rendering);
	clearInterval(collecting);
});

const send = (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
	// Each call in a minute of its own: what an entity's limit does is tested elsewhere.
	here.limitClock.ms += 60_000;
	return here.call(method, filled(path), options);
};

test("every route has its entry, and every entry its route", () => {
	const entries = [
		...[templates, people, keyless, testedElsewhere].flatMap((some) => Object.keys(some)),
		...customersOwn,
	];
	expect(mounted.map(({ name }) => name).sort()).toEqual(entries.sort());
});

describe.each(Object.entries(templates))("%s", (name, template) => {
	const [method = "", route = ""] = name.split(" ");
	const { body, scope, also } = template;
	const target = template.query ? `${template.path}?${template.query}` : template.path;
	const hooks = mounted.find((one) => one.name === name)?.hooks;
	const hasBody = method !== "GET";
	const sent = body === undefined ? {} : { body };
	const call = (options: CallOptions = {}) => send(method, target, { ...sent, ...options });

	test("no key, an unknown one or an expired one: 401 Unauthenticated, whatever was sent", async () => {
		for (const key of ["", "server-no-such-key", "client-no-such-key", expiredKey]) {
			isError(await call({ key }), 401, "Unauthenticated");
			if (hasBody) isError(await call({ key, body: "{" }), 401, "Unauthenticated");
		}
	});

	test(`a scoped key with every other scope: ${template.isFiltered ? "less" : "403 AccessDeniedError"}`, async () => {
		const resource = scope?.split(":")[0] ?? "SUBSCRIPTION";
		const others = scopeResources.filter((one) => one !== resource).map((one): Scope => `${one}:WRITE`);
		const reads = scope?.endsWith(":WRITE") ? [`${resource}:READ` as Scope] : [];
		const answer = await call({ key: here.scopedKey(...others, ...reads) });
		if (template.isFiltered) expect(answer.status).toBe(200);
		else isError(answer, 403, "AccessDeniedError");
	});

	if (template.publishable === "with the customer's id signed")
		test("a publishable key without its customer's signature: 400 AuthCustomerMismatch", async () => {
			isError(await call({ key: here.publishableKey }), 400, "AuthCustomerMismatch");
		});
	else if (template.publishable)
		test("a publishable key may read", async () => {
			expect((await call({ key: here.publishableKey })).status).toBe(200);
		});
	else
		test("a publishable key: 403 IdentityForbidden", async () => {
			isError(await call({ key: here.publishableKey }), 403, "IdentityForbidden");
		});

	if (hasBody) {
		test("malformed JSON, another content type, what is no object: 400", async () => {
			for (const text of ["{", "{'a':1}", '{"a":1,}', "undefined", `{"a":"\u0001"}`])
				isError(await call({ body: text }), 400, "BadUserInput", "JSON");
			for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
				isError(
					await call({ body: JSON.stringify(body ?? {}), headers: { "content-type": type } }),
					400,
					"BadUserInput",
					"application/json",
				);
			for (const text of ["5", '"text"', "[]", "null", "true"])
				isError(await call({ body: text }), 400, "BadUserInput");
		});

		test("a body over what the route takes: 413", async () => {
			isError(await call({ body: bulkRoutes.has(name) ? tooLarge.bulk : tooLarge.other }), 413, null, "bytes");
		});

		test("a body key that the route does not know: 400 that names it", async () => {
			isError(await call({ body: { ...body, surprise: 1 } }), 400, "BadUserInput", "surprise");
			isError(await call({ body: { ...body, __proto__x: {} } }), 400, "BadUserInput", "__proto__x");
		});
	}

	const schema = bodySchema(template, hooks?.body);
	if (schema && body) {
		test("each required field left out, each field of another type: 400 that names it", async () => {
			for (const [key, property] of Object.entries(schema.properties as Record<string, TSchema>)) {
				const { [key]: _, ...rest } = body;
				if (schema.required?.includes(key)) isError(await call({ body: rest }), 400, "BadUserInput", key);
				const wrong = [5, "text", true, [], {}, { a: 1 }].find((value) => !Value.Check(property, value));
				isError(await call({ body: { ...body, [key]: wrong } }), 400, "BadUserInput", key);
			}
		});
	}

	test("a query key that the route does not know: 400 that names it", async () => {
		isError(await send(method, withQuery(target, "surprise=1"), sent), 400, "BadUserInput", "surprise");
	});

	test("an id in the path that is longer than any: 400", async () => {
		for (const path of withEach(route, template.path, longText(256)))
			isError(await send(method, withQuery(path, template.query), sent), 400, "BadUserInput");
	});

	test("another method: 405 with the methods that are allowed", async () => {
		const allowed = methods.filter((one) =>
			mounted.some((other) => other.method === one && fits(other.path, template.path)),
		);
		for (const other of methods) {
			if (allowed.includes(other)) continue;
			const answer = await send(other, template.path);
			isError(answer, 405, null, other);
			expect(answer.headers.get("allow")).toBe(allowed.join(", "));
		}
	});

	for (const [path, code, naming] of template.unknown ?? [])
		test(`${method} ${path} ${naming ? "naming" : "of"} missing objects: 404 ${code}`, async () => {
			const target = path.includes("?") ? path : withQuery(path, template.query);
			isError(await send(method, target, naming ? { body: naming } : sent), 404, code);
		});

	test(`another environment's key: ${template.foreign ?? "404"}`, async () => {
		const answer = await call({ key: here.foreignKey });
		switch (template.foreign) {
			case "an empty list":
				expect(answer).toMatchObject({ status: 200, body: { data: [], pagination: { next: null, prev: null } } });
				break;
			case "its own":
				expect(answer.status).toBeLessThan(300);
				break;
			case "no access":
				expect(answer.status).toBe(200);
				expect(JSON.stringify(answer.body)).not.toContain('"isGranted":true');
				expect(answer.body.data.accessDeniedReason).toBe("CustomerNotFound");
				break;
			case "the same":
				isError(answer, ...(template.answers ?? [200, ""]));
				break;
			default: {
				const code = template.unknown?.[0]?.[1] ?? null;
				isError(answer, 404, code);
			}
		}
	});

	if (scope && also)
		test("with one of its two scopes: 403 AccessDeniedError", async () => {
			for (const [held, lacking] of [
				[scope, also],
				[also, scope],
			] as const)
				isError(await call({ key: here.scopedKey(held) }), 403, "AccessDeniedError", lacking);
		});

	test("the request of the table itself is taken, with its scope alone", async () => {
		// A clock is turned once what was reported is counted.
		here.countUsage();
		const answer = await call(scope === undefined ? {} : { key: here.scopedKey(scope, ...(also ? [also] : [])) });
		if (template.answers) isError(answer, ...template.answers);
		else expect([200, 201]).toContain(answer.status);
	});
});

describe.each(Object.entries(keyless))("%s, without a key since %s", (name) => {
	const [method = "", path = ""] = name.split(" ");
	const user = { email: "nobody@acme.test", password: "wrong" };

	test("knows no API key: 401 Unauthenticated", async () => {
		for (const key of ["", "server-no-such-key", here.key])
			isError(await send(method, path, { key, ...(method === "POST" && { body: user }) }), 401, "Unauthenticated");
	});

	test("another method: 405 with the methods that are allowed", async () => {
		const answer = await send("PUT", path);
		isError(answer, 405, null);
		expect(answer.headers.get("allow")).toBe(method);
	});
});

describe.each([...customersOwn])("%s, for customers alone", (name) => {
	const [method = "", path = ""] = name.split(" ");

	test("without a link 401, by a key 403", async () => {
		const sent = method === "GET" ? {} : { body: {} };
		for (const key of ["", "server-no-such-key"])
			isError(await send(method, path, { key, ...sent }), 401, "Unauthenticated");
		for (const key of [here.key, here.publishableKey])
			isError(await send(method, path, { key, ...sent }), 403, "IdentityForbidden");
	});
});

test("a limit is of bytes, not of characters, also when no length is announced", async () => {
	const body = JSON.stringify({ id: "fresh-bytes", displayName: "€".repeat(mebibyte / 2) });
	expect(body.length).toBeLessThan(mebibyte);
	isError(await send("POST", "/products", { body }), 413, null);
});

describe("POST /auth/login", () => {
	test.each<[string, unknown, string]>([
		["malformed JSON", "{", "JSON"],
		["no email", { password: "p" }, "email"],
		["no password", { email: "a@b.test" }, "password"],
		["a number for a password", { email: "a@b.test", password: 5 }, "password"],
		["what is no email", { email: "nobody", password: "p" }, "email"],
		["another key", { email: "a@b.test", password: "p", surprise: 1 }, "surprise"],
	])("%s: 400", async (_, body, says) => {
		isError(await send("POST", "/auth/login", { key: "", body }), 400, "BadUserInput", says);
	});

	test("a body over 4 KiB, more than an address and a password need: 413", async () => {
		isError(await send("POST", "/auth/login", { key: "", body: JSON.stringify(longText(4096)) }), 413, null, "4096");
	});
});

/** The object that the route takes: of alternatives, the one that the template is. */
function bodySchema({ schema, body }: Template, mountedSchema: unknown): TSchema | undefined {
	const given = schema ?? mountedSchema;
	if (!TypeGuard.IsSchema(given)) return undefined;
	const alternatives: TSchema[] = TypeGuard.IsUnion(given) ? given.anyOf : [given];
	return alternatives.find((one) => TypeGuard.IsObject(one) && Value.Check(one, body));
}

const withQuery = (path: string, query: string | undefined): string =>
	query ? `${path}${path.includes("?") ? "&" : "?"}${query}` : path;

/** The path once for each of its parameters, with another value there. */
function withEach(route: string, path: string, value: string): string[] {
	const segments = path.split("/");
	return route
		.split("/")
		.flatMap((segment, at) => (segment.startsWith(":") ? [segments.with(at, value).join("/")] : []));
}

/** Whether a route answers at a path; where a literal and a parameter both fit, the framework takes the literal. */
function fits(route: string, path: string): boolean {
	const segments = path.split("/");
	const wanted = route.split("/");
	return (
		shapeOf(route) === shapeOf(path) ||
		(wanted.length === segments.length && wanted.every((one, at) => one.startsWith(":") || one === segments[at]))
	);
}
