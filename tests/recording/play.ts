import { CreditProbe } from "./credit-probe";
import type { Entry } from "./entry";
import type { Plan, Step } from "./plan";
import { dataOf, type Response, type Server } from "./server";

/** Creates the environments of a plan and sends its requests. Returns the responses. */
export async function play({ environments, steps }: Plan, server: Server): Promise<Entry[]> {
	for (const environment of environments) await server.createEnvironment(environment);
	const player = new Player(server, await CreditProbe.create(server));
	for (const step of steps) await player.send(step);
	for (const { name, until } of environments) await player.advance(name, until);
	return player.entries;
}

class Player {
	readonly entries: Entry[] = [];
	readonly #server: Server;
	readonly #credits: CreditProbe;
	/** The time of each environment's clock. */
	readonly #clocks = new Map<string, string>();
	readonly #counts = new Map<string, number>();
	#lastTask: string | undefined;

	constructor(server: Server, credits: CreditProbe) {
		this.#server = server;
		this.#credits = credits;
	}

	async send({ environment, at, method, path, body, waitsFor }: Step): Promise<void> {
		if (this.#clocks.get(environment) !== at) await this.advance(environment, at);
		const sent = JSON.parse(await this.#resolve(environment, JSON.stringify({ path, body })));
		const response = await this.#server.send(environment, method, sent.path, sent.body);
		this.#record(environment, `${method} ${path}`, response);
		this.#lastTask = taskOf(response.body) ?? this.#lastTask;
		if (waitsFor === "credits") await this.#credits.settled();
		if (waitsFor === "usage" || waitsFor === "credits") await this.advance(environment, at);
		if (waitsFor === "tasks") await this.#awaitTasks(environment);
	}

	/** Runs the due steps of an environment up to `at`, after all reported usage has been counted. */
	async advance(environment: string, at: string): Promise<void> {
		this.#clocks.set(environment, at);
		const response = await this.#server.send(environment, "POST", "/environments/current/clock", { now: at });
		this.#record(environment, `clock ${at}`, response);
		if (response.status !== 200) throw new Error(`${environment}: ${JSON.stringify(response.body)}`);
	}

	#record(environment: string, request: string, { status, body }: Response): void {
		const count = (this.#counts.get(environment) ?? 0) + 1;
		this.#counts.set(environment, count);
		const key = `${environment} ${String(count).padStart(5, "0")} ${request}`;
		this.entries.push({ kind: "responses", key, value: { status, body } });
	}

	async #awaitTasks(environment: string): Promise<void> {
		for (;;) {
			const { body } = await this.#server.send(environment, "GET", "/tasks?status=PENDING,IN_PROGRESS&limit=1");
			if (dataOf(body).length === 0) return;
			await Bun.sleep(2);
		}
	}

	/** Replaces the references of a request (plan.ts). One that refers to nothing becomes `none`. */
	async #resolve(environment: string, text: string): Promise<string> {
		let resolved = text;
		for (const [reference, kind = "", of = "", nth = ""] of text.matchAll(/\{(\w+):([^:}]+)(?::([^}]+))?\}/g))
			resolved = resolved.replace(reference, (await this.#find(environment, kind, of, nth)) ?? "none");
		return resolved;
	}

	async #find(environment: string, kind: string, of: string, nth: string): Promise<string | undefined> {
		const list = async (path: string) => dataOf((await this.#server.send(environment, "GET", path)).body);
		switch (kind) {
			case "task":
				return this.#lastTask;
			case "legalEntity": {
				const entities = await list("/legal-entities?limit=100");
				return entities.find(({ name }) => name === of)?.id;
			}
			case "grant": {
				const grants = await list(`/credits/grants?customerId=${of}&limit=100`);
				return grants.find(({ displayName }) => displayName === nth)?.id;
			}
			case "invoice": {
				const issued = await list(
					`/customers/${of}/invoices?stateIn=OPEN,PAID,CANCELED&orderBy=issueDate&orderDir=ASC&limit=100`,
				);
				return issued[Number(nth)]?.invoiceId;
			}
			case "draft": {
				const drafts = await list(`/customers/${of}/invoices?stateIn=DRAFT&limit=100`);
				return drafts.toReversed()[Number(nth)]?.invoiceId;
			}
			default:
				throw new Error(`There is no reference to a '${kind}'.`);
		}
	}
}

function taskOf(body: unknown): string | undefined {
	const data = typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
	const id = typeof data === "object" && data !== null && "taskId" in data ? data.taskId : undefined;
	return typeof id === "string" ? id : undefined;
}
