import { cut, type Fault, type FaultRates, faultsOf, noFaults } from "../faults";
import { randomFrom } from "../random";
import { type Account, type Objects, openAccount } from "./account";
import { settleDebit } from "./charging";
import { expireSession } from "./checkout";
import { control } from "./control";
import { deliveryTo, type Endpoint } from "./delivery";
import { Refusal } from "./errors";
import { list, readForm } from "./form";
import { idempotencyKeys } from "./idempotency";
import { servePage } from "./pages";
import { finishRefund } from "./refunds";
import { expanded, findOperation } from "./routes";
import type { StandIn } from "./stand-in";

export interface StandInOptions {
	readonly seed?: number;
	readonly port?: number;
	/** The response time of each call. */
	readonly latencyMs?: number;
	/** The additional time of a slow call. */
	readonly slowMs?: number;
	/** How long a direct debit is processing; 3 minutes when left out. */
	readonly debitMs?: number;
	readonly faults?: Partial<FaultRates>;
	/** Where events go, in addition to the endpoints that the API creates. */
	readonly endpoint?: Endpoint;
	readonly objects?: Objects;
}

const stepsMs = 200;

/** Starts a stand-in of the provider on loopback. */
export function startStandIn(options: StandInOptions = {}): StandIn {
	const { seed = 1, port = 0, latencyMs = 0, slowMs = 2_000, debitMs = 180_000 } = options;
	const account = openAccount(seed, debitMs, options.objects);
	const webhookSecret = `whsec_${randomFrom(seed ^ 0x77e).letters(32)}`;
	const faults = faultsOf(randomFrom(seed ^ 0xfa), { ...noFaults, ...options.faults });
	const keys = idempotencyKeys(account.clock.now);
	const calls = { total: 0 };
	let extra: Endpoint | undefined = options.endpoint;
	const endpoints = (): Endpoint[] => [
		...(extra ? [extra] : []),
		...[...account.objects.endpoints.values()].map(({ url, secret = "" }) => ({ url, secret })),
	];
	const delivery = deliveryTo(endpoints, randomFrom(seed ^ 0xe7), () => faults.rates);
	account.deliver = delivery.send;

	const answer = async (request: Request): Promise<Response> => {
		const url = new URL(request.url);
		if (url.pathname.startsWith("/_stand-in/")) return await control(standIn, request, url);
		takeSteps(account);
		if (!url.pathname.startsWith("/v1/"))
			return (await servePage(account, request, url)) ?? new Response("Not found", { status: 404 });
		calls.total += 1;
		const body = request.method === "POST" ? await request.text() : url.search.slice(1);
		const fault = faults.of(`${request.method} ${url.pathname}`);
		try {
			return await keyed(request, url, body, fault);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			return respond(error.status, errorText(error), false);
		}
	};

	const keyed = async (request: Request, url: URL, body: string, fault: Fault | undefined): Promise<Response> => {
		if (request.headers.get("authorization") !== `Bearer ${account.secretKey}`)
			throw new Refusal(401, { type: "invalid_request_error", message: "Invalid API Key provided: sk_test_***" });
		const key = request.method === "POST" ? request.headers.get("idempotency-key") : null;
		const kept = key === null ? undefined : keys.begin(key, `${url.pathname}\n${body}`);
		const waitMs = latencyMs + (fault === "slow" ? slowMs : 0);
		if (waitMs > 0) await Bun.sleep(waitMs / 2);
		const made = kept ?? run(request.method, url.pathname, body, key, fault);
		if (waitMs > 0) await Bun.sleep(waitMs / 2);
		if (fault === "cutBefore" || fault === "cutAfter") return cut(made.body);
		return respond(made.status, made.body, kept !== undefined);
	};

	/** Runs the operation once, and keeps its answer under the key. */
	const run = (method: string, path: string, body: string, key: string | null, fault: Fault | undefined) => {
		const release = () => key !== null && keys.release(key);
		if (fault === "cutBefore" || fault === "busy") {
			release();
			if (fault === "cutBefore") return { status: 500, body: "" };
			throw new Refusal(429, { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." });
		}
		const failure = new Refusal(500, { type: "api_error", message: "An unknown error occurred." });
		let made = { status: failure.status, body: errorText(failure) };
		if (fault !== "errorBefore") {
			try {
				const done = { status: 200, body: JSON.stringify(operate(account, method, path, body)) };
				if (fault !== "errorAfter") made = done;
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				if (!error.isStored) {
					release();
					throw error;
				}
				if (fault !== "errorAfter") made = { status: error.status, body: errorText(error) };
			}
		}
		if (key !== null) keys.keep(key, made.status, made.body);
		return made;
	};

	const server = Bun.serve({ port, hostname: "127.0.0.1", idleTimeout: 0, development: false, fetch: answer });
	account.baseUrl = `http://127.0.0.1:${server.port}`;
	const steps = setInterval(() => takeSteps(account), stepsMs);
	steps.unref();
	const standIn: StandIn = {
		...{ url: account.baseUrl, secretKey: account.secretKey, webhookSecret, account, calls },
		setFaults: (rates) => {
			faults.rates = { ...noFaults, ...rates };
		},
		plan: faults.plan,
		sendEventsTo: (url) => {
			extra = { url, secret: webhookSecret };
		},
		advance: (byMs) => {
			account.clock.advance(byMs);
			takeSteps(account);
		},
		setClock: (at) => {
			account.clock.set(at);
			takeSteps(account);
		},
		eventsSettled: delivery.settled,
		stop: async () => {
			clearInterval(steps);
			delivery.stop();
			await server.stop(true);
		},
	};
	return standIn;
}

function operate(account: Account, method: string, path: string, body: string): object {
	const found = findOperation(method, path);
	if (!found)
		throw new Refusal(
			404,
			{ type: "invalid_request_error", message: `The stand-in has no operation ${method} ${path}.` },
			false,
		);
	const params = readForm(body);
	const paths = list(params, "expand").filter((one) => typeof one === "string");
	return expanded(account, found.operation(account, params, found.id), paths);
}

const errorText = ({ body, status }: Refusal): string =>
	JSON.stringify({ error: { ...body, doc_url: `https://docs.stripe.com/error-codes/${body.code ?? status}` } });

function respond(status: number, body: string, isRepeated: boolean): Response {
	const headers = { "content-type": "application/json", "request-id": `req_${crypto.randomUUID().slice(0, 12)}` };
	return new Response(body, { status, headers: { ...headers, ...(isRepeated && { "idempotent-replayed": "true" }) } });
}

/** Takes the steps that the provider takes by itself and that are due. */
function takeSteps(account: Account): void {
	const { objects, clock } = account;
	const now = clock.now();
	if (!objects.due.some(({ at }) => at <= now)) return;
	const due = objects.due.filter(({ at }) => at <= now).sort((one, other) => one.at - other.at);
	objects.due = objects.due.filter(({ at }) => at > now);
	for (const { step, id } of due) {
		if (step === "settle debit") settleDebit(account, id);
		if (step === "finish refund") finishRefund(account, id);
		if (step === "expire session" && objects.sessions.get(id)?.status === "open") expireSession(account, id);
	}
}
