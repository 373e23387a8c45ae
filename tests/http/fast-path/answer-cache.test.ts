import { expect, test } from "bun:test";
import fc from "fast-check";
import { createApp } from "../../../src/app";
import { createKey } from "../../../src/areas/access/keys/operations";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import { signCustomer, signingSecret } from "../../../src/areas/access/rules.secrets";
import { Authenticator } from "../../../src/http/authentication/authenticator";
import { AnswerCache } from "../../../src/http/fast-path/answer-cache";
import { openLog } from "../../../src/http/log";
import { SharedLogLevel } from "../../../src/http/log-level";
import type { Instant } from "../../../src/kernel/clock";
import { provision, shop } from "../../areas/subscriptions/shop";
import { folderSecret, type World } from "../../support/world";

const page = "https://page.example";

/**
 * The same requests both ways: as the server answers them, where what was answered before comes from the cache, and through
 * a second app without repeated requests.
 */
async function bothWays(ours: World) {
	const { services } = ours;
	const aside = createApp({ ...services, answers: new AnswerCache(services) });
	const app = createApp(services);
	await Promise.all([app.modules, aside.modules]);
	let hits = 0;
	const shown = async (answer: Response, sent: Headers) => {
		const headers = Object.fromEntries(answer.headers);
		const id = headers["x-request-id"] ?? "";
		// Random values are compared by their shape.
		if (id !== sent.get("x-request-id")) headers["x-request-id"] = id.replaceAll(/[0-9a-f]/g, "x");
		return { status: answer.status, headers, body: await answer.text() };
	};
	return {
		hits: () => hits,
		ask: async (method: string, path: string, headers: Record<string, string>): Promise<void> => {
			const made = () => new Request(`http://localhost${path}`, { method, headers });
			const request = made();
			const hot = services.answers.find(request);
			if (hot) hits += 1;
			const one = await shown(hot ?? (await app.handle(request)), request.headers);
			const other = await shown(await aside.handle(made()), request.headers);
			expect({ method, path, ...one }).toEqual({ method, path, ...other });
		},
	};
}

interface Keys {
	readonly [name: string]: string;
}

function keysOf(ours: World): Keys {
	const ending = ours.transactions.write(systemActor(""), (work) =>
		createKey(work, ours.environmentId, {
			kind: "FULL_ACCESS",
			displayName: "Ending",
			expiresAt: (ours.clock.at + 20_000) as Instant,
		}),
	);
	return {
		full: ours.key,
		page: ours.publishableKey,
		scoped: ours.scopedKey("CUSTOMER:READ"),
		writing: ours.scopedKey("CUSTOMER:WRITE"),
		poor: ours.scopedKey("SUBSCRIPTION:READ"),
		foreign: ours.foreignKey,
		ended: ours.expiredKey(),
		ending: ending.secret,
		unknown: "server-nobody",
		none: "",
	};
}

/** Few values, so that the same request comes often. */
const paths = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom("check?featureId=calls", "check?featureId=sso", "", "?resourceId=") },
	{
		weight: 2,
		arbitrary: fc.constantFrom(
			"check?featureId=calls&requestedUsage=2",
			"check?featureId=region&requestedValues=eu,us",
			"check?featureId=region&requestedValues=eu&requestedValues=us",
			"check?featureId=calls&resourceId=site",
			"check?currencyId=gold",
			"check?featureId=none",
			"check?featureId=seats",
			"?resourceId=site",
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"check",
			"check?featureId=calls&featureId=sso",
			"check?featureId=calls&requestedUsage=one",
			"check?featureId=%63alls",
			"check?featureId=c%ZZ",
			"check?featureId=calls&surprise=1",
			"check?featureId=calls#there",
			"check/?featureId=calls",
			"?surprise=1",
			"/",
		),
	},
);
/** "ours" stands for a customer of the run's own. */
const customers = fc.oneof(
	{ weight: 8, arbitrary: fc.constant("ours") },
	{ weight: 1, arbitrary: fc.constantFrom("acme", "nobody", "%61cme", "a%20b", "a%ZZ", "") },
);
const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant({}) },
	{
		weight: 1,
		arbitrary: fc.constantFrom<Record<string, string>>(
			{ "x-request-id": "mine-1" },
			{ "x-request-id": "not sane!" },
			{ origin: page },
			{ origin: "https://other.example" },
			{ "if-none-match": "*" },
			{ "x-forwarded-proto": "https" },
			{ "x-customer-token": "token" },
			{ "x-customer-token": "wrong" },
			{ authorization: "Bearer nobody" },
			{ accept: "text/html" },
			{ range: "bytes=0-3" },
			{ "idempotency-key": "k" },
			{ "x-environment-id": "elsewhere" },
		),
	},
);
const request = fc.record({
	is: fc.constant("request" as const),
	method: fc.oneof(
		{ weight: 12, arbitrary: fc.constant("GET") },
		{ weight: 1, arbitrary: fc.constantFrom("HEAD", "POST", "OPTIONS") },
	),
	key: fc.oneof(
		{ weight: 6, arbitrary: fc.constantFrom("full", "page", "scoped") },
		{
			weight: 2,
			arbitrary: fc.constantFrom("writing", "poor", "foreign", "ended", "ending", "unknown", "none", "new"),
		},
	),
	customer: customers,
	path: paths,
	headers,
	times: fc.integer({ min: 1, max: 3 }),
});

interface Changing {
	readonly ours: World;
	readonly customerId: string;
	/** Another one each time. */
	readonly at: number;
}

/** Also over the end of a month of usage, and back: an administrator may set the machine's clock. */
const turns = [1, 5000, 86_400_000, 31 * 86_400_000, -31 * 86_400_000];

const changes = {
	use: ({ ours, customerId, at }: Changing) => report(ours, customerId, at),
	useByAnother: ({ ours, at }: Changing) => report(ours, "acme", at),
	rename: ({ ours, at }: Changing) => ours.call("PATCH", "/features/calls", { body: { displayName: `Calls ${at}` } }),
	buy: ({ ours, customerId, at }: Changing) =>
		ours.call("POST", "/subscriptions", { body: { customerId, planId: "free", id: `free-${at}` } }),
	upgrade: ({ ours, customerId, at }: Changing) =>
		provision(ours, { customerId, planId: "pro", billingPeriod: "MONTHLY", id: `pro-${at}` }),
	cancel: ({ ours, customerId }: Changing) =>
		ours.call("POST", `/subscriptions/${customerId}/cancel`, { body: { cancellationTime: "IMMEDIATE" } }),
	give: ({ ours, customerId, at }: Changing) =>
		ours.call("POST", `/customers/${customerId}/promotional-entitlements`, {
			body: {
				promotionalEntitlements: [
					{ featureId: "calls", hasUnlimitedUsage: at % 2 === 0, usageLimit: at, period: "1 week" },
				],
			},
		}),
	harden: ({ ours, at }: Changing) => {
		ours.transactions.write(systemActor(""), (work) =>
			changeEnvironment(work, ours.environmentId, {
				clientHardening: at % 2 === 0,
				allowedOrigins: at % 3 === 0 ? [page] : [],
			}),
		);
	},
	wait: ({ ours, at }: Changing) => {
		ours.clock.at = (ours.clock.at + (turns[at % turns.length] ?? 0)) as Instant;
	},
	advance: ({ ours, at }: Changing) =>
		ours.call("POST", "/environments/current/clock", { body: { advanceBy: at % 2 === 0 ? "PT1H" : "P9D" } }),
} satisfies Record<string, (changing: Changing) => unknown>;
type Change = keyof typeof changes;

async function report(ours: World, customerId: string, at: number): Promise<void> {
	const event = { eventName: "call", customerId, idempotencyKey: `e${at}` };
	await ours.call("POST", "/events", { body: { events: [event, { ...event, resourceId: "site" }] } });
	ours.countUsage();
}

const changeOf = (...names: readonly Change[]) =>
	fc.record({ is: fc.constant("change" as const), name: fc.constantFrom(...names) });
const often = changeOf("use", "useByAnother");
const seldom = changeOf("rename", "buy", "upgrade", "cancel", "give", "harden");

test.each<[string, Change, number]>([
	["the machine's clock", "wait", 20],
	["a test clock", "advance", 8],
])(
	"an answer that was kept is, byte for byte, what the framework would have answered, by %s",
	async (_, turn, numRuns) => {
		const ours = await shop();
		const meter = {
			aggregation: { function: "COUNT" },
			filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: "call" }] }],
		};
		await ours.call("PATCH", "/features/calls", { body: { meter } });
		if (turn === "advance") await ours.call("POST", "/environments/current/clock", { body: {} });
		const keys = keysOf(ours);
		const { ask, hits } = await bothWays(ours);
		const step = fc.oneof(
			{ weight: 12, arbitrary: request },
			{ weight: 3, arbitrary: often },
			{ weight: 2, arbitrary: changeOf(turn) },
			{ weight: 1, arbitrary: seldom },
		);
		let at = 0;
		await fc.assert(
			fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (all) => {
				at += 1;
				const customerId = `run-${at}`;
				await ours.call("POST", "/customers", { body: { id: customerId } });
				await provision(ours, { customerId, planId: "pro", billingPeriod: "MONTHLY", id: customerId });
				const token = signCustomer(signingSecret(folderSecret, ours.environmentId), customerId);
				let again = async (): Promise<void> => {};
				for (const one of all) {
					at += 1;
					if (one.is === "change") {
						await changes[one.name]({ ours, customerId, at });
						await again();
						continue;
					}
					const key = one.key === "new" ? ours.scopedKey("CUSTOMER:READ") : (keys[one.key] ?? "");
					const sent = {
						...(key === "" ? {} : { "x-api-key": key }),
						...one.headers,
						...(one.headers["x-customer-token"] === "token" && { "x-customer-token": token }),
					};
					const customer = one.customer === "ours" ? customerId : one.customer;
					const path = `/api/v1/customers/${customer}/entitlements${/^[?]|^$/.test(one.path) ? "" : "/"}${one.path}`;
					again = () => ask(one.method, path, sent);
					for (let time = 0; time < one.times; time += 1) await again();
				}
			}),
			{ numRuns },
		);
		expect(hits()).toBeGreaterThan(50);
	},
);

test("nothing is kept of what each call has to prove, nor of what the log has a line for", async () => {
	const ours = await shop();
	const isKept = async (key: string) => {
		const request = () =>
			new Request("http://localhost/api/v1/customers/acme/entitlements", { headers: { "x-api-key": key } });
		await ours.call("GET", "/customers/acme/entitlements", { key });
		return ours.services.answers.find(request()) !== undefined;
	};
	expect(await isKept(ours.key)).toBe(true);
	expect(await isKept(ours.publishableKey)).toBe(true);
	ours.transactions.write(systemActor(""), (work) =>
		changeEnvironment(work, ours.environmentId, { clientHardening: true }),
	);
	expect(await isKept(ours.key)).toBe(true);
	expect(await isKept(ours.publishableKey)).toBe(false);
	const authenticator = new Authenticator({ transactions: ours.transactions, folderSecret: "" });
	const level = new SharedLogLevel("debug");
	const logged = new AnswerCache({ transactions: ours.transactions, authenticator, log: openLog(level, () => {}) });
	const app = createApp({ ...ours.services, authenticator, answers: logged });
	await app.modules;
	const headers = { "x-api-key": ours.key };
	const request = () => new Request("http://localhost/api/v1/customers/acme/entitlements", { headers });
	expect((await app.handle(request())).status).toBe(200);
	expect(logged.find(request())).toBeUndefined();
	level.set("info");
	expect(logged.find(request())?.status).toBe(200);
});

test("nothing is kept of what was answered while the file was written", async () => {
	const ours = await shop();
	const { answers, authenticator } = ours.services;
	const request = new Request("http://localhost/counted", { headers: { "x-api-key": ours.key } });
	const known = () => authenticator.caller(request.headers, () => "127.0.0.1").actor;
	let count = 0;
	let meanwhile = () => {};
	const question = () => {
		const answer = { count };
		count += 1;
		meanwhile();
		return { answer, until: null, hasNewUsage: () => true };
	};
	ours.transactions.read(known(), (work) => answers.answer(request, work, question));
	expect(answers.bodyOf(request)).toBe('{"count":1}');
	meanwhile = () =>
		void ours.transactions.write(systemActor(""), (work) =>
			changeEnvironment(work, ours.environmentId, { name: `Another ${count}` }),
		);
	expect(answers.bodyOf(request)).toBe('{"count":2}');
	known();
	expect(answers.bodyOf(request)).toBeUndefined();
	ours.transactions.read(known(), (work) => answers.answer(request, work, question));
	known();
	expect(answers.bodyOf(request)).toBeUndefined();
});
