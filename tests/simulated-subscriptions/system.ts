/** The system under test: its own operations on real SQLite files, without HTTP and without threads. */
import { rmSync } from "node:fs";
import { createEnvironment } from "../../src/areas/access/operations";
import { systemActor } from "../../src/areas/access/rules.actors";
import { lateUsageOf } from "../../src/areas/contracts/billing/operations.late-usage";
import { provisionCustomer } from "../../src/areas/customers/operations";
import { checkIssuedCreditNotes, checkIssuedInvoices } from "../../src/areas/invoices/check/operations.check";
import { checkCreditNoteSeals, checkInvoiceSeals } from "../../src/areas/invoices/check/operations.check-seals";
import { checkRates } from "../../src/areas/invoices/check/operations.rates";
import { addManualLine, finalizeInvoice } from "../../src/areas/invoices/drafts/operations";
import { ManualLine } from "../../src/areas/invoices/drafts/schema";
import { amountsDue, getInvoice } from "../../src/areas/invoices/operations";
import { checkSubscriptionBills } from "../../src/areas/subscriptions/billing/check/operations";
import { importItem, salesOf } from "../../src/areas/subscriptions/import/item";
import { SubscriptionImportItem } from "../../src/areas/subscriptions/import/schema";
import { creditManually } from "../../src/areas/subscriptions/lifecycle/operations.credit";
import { payInvoice } from "../../src/areas/subscriptions/lifecycle/operations.payment";
import {
	cancelPendingPayment,
	cancelScheduledUpdates,
	cancelSubscription,
	chargeSubscriptionUsage,
	migrateSubscription,
	pauseSubscription,
	provisionSubscription,
	resumeSubscription,
	transferSubscription,
	updateSubscription,
} from "../../src/areas/subscriptions/operations";
import {
	SubscriptionCancel,
	SubscriptionMigrate,
	SubscriptionPause,
	SubscriptionResume,
	SubscriptionTransfer,
	UsageCharge,
} from "../../src/areas/subscriptions/schema";
import { SubscriptionProvision } from "../../src/areas/subscriptions/schema.provision";
import { SubscriptionUpdate } from "../../src/areas/subscriptions/schema.update";
import { runMigration } from "../../src/areas/subscriptions/versions/migrate";
import { Aggregator } from "../../src/areas/usage/counting/aggregator";
import { EventLog } from "../../src/areas/usage/log/event-log";
import { type Instant, toIso } from "../../src/kernel/clock";
import { DomainError } from "../../src/kernel/errors";
import { newUuidV7 } from "../../src/kernel/ids";
import type { Actor, Work } from "../../src/kernel/work";
import { nextDueAt, runNextDue } from "../../src/scheduler/sources";
import { claimTask } from "../../src/tasks/operations";
import { world } from "../support/world";
import type { Act, Call, History } from "./acts";
import { assertSchema } from "./assert-schema";
import type { Used } from "./calls";
import { type Ask, createEntities, createPriceList, publishAgain } from "./catalogue";
import { agreedOf, runContractAct } from "./contracts/run-act";
import { documentsOf, type StoredDocument } from "./documents";
import type { ListedPackage, PriceList } from "./price-list";

/** In major units. */
export interface Settlement {
	readonly invoices: ReadonlyArray<{ readonly state: string; readonly due: string; readonly currency: string }>;
	readonly balances: ReadonlyArray<{ readonly currency: string; readonly amount: string }>;
}

/** A simulated customer in an environment of the system. */
export interface Customer {
	/** Returns the code of a rejected call. */
	act(act: Act): Promise<string | undefined>;
	documents(): StoredDocument[];
	/** The open amount of each invoice in the order of issue, and the balance as a client reads it. */
	settlement(): Promise<Settlement>;
	/** The state and total of its contract. */
	agreed(): { readonly phase: string | null; readonly total: string; readonly currency: string };
	/** The first difference that `tollgate check --billing` finds when it rates all documents again. */
	drift(): string | undefined;
	/** Cancels its due steps. */
	leave(): void;
	/** Restores the price list for the next one. */
	restore(): Promise<void>;
}

export class System {
	readonly #world = world();
	readonly #log;
	readonly #aggregator;
	#environments = 0;
	#customers = 0;
	#events = 0;

	constructor() {
		// No power failure is simulated, and no file is kept.
		const { folder, clock, db } = this.#world;
		db.$client.run("PRAGMA synchronous = OFF");
		// The audit log is not needed.
		const noting = db.$client.query<{ name: string }, []>("SELECT name FROM temp.sqlite_master WHERE type = 'trigger'");
		for (const { name } of noting.all()) db.$client.run(`DROP TRIGGER temp.${name}`);
		this.#log = new EventLog({
			folder,
			onTrouble: (error) => {
				throw error;
			},
			onOpen: (file) => file.run("PRAGMA synchronous = OFF"),
		});
		this.#aggregator = new Aggregator({ folder, clock });
	}

	close(): void {
		this.#aggregator.close();
		this.#log.close();
		this.#world.db.$client.close();
		rmSync(this.#world.folder, { recursive: true, force: true });
	}

	/** Creates an environment with a price list. */
	async open(
		list: PriceList,
	): Promise<(born: Pick<History, "couponId" | "currency" | "startAt" | "graceDays">) => Customer> {
		const { transactions, db, call, clock } = this.#world;
		clock.at = Date.UTC(2020, 0, 1) as Instant;
		this.#environments += 1;
		const { environment, fullAccessKey: key } = transactions.write(systemActor(""), (work) =>
			createEnvironment(work, {
				accountName: `Account ${this.#environments}`,
				environmentName: "lives",
				kind: "SANDBOX",
			}),
		);
		if (list.isFromTheFirst)
			db.$client.run("UPDATE environments SET billing_anchor = 'START_OF_THE_MONTH' WHERE id = ?", [environment.id]);
		const ask: Ask = (method, path, options) => call(method, path, { ...options, key });
		await createPriceList(list, ask);
		const graced = await createEntities(ask);
		const actor = systemActor(environment.id, environment.accountId);
		const publish = async (plan: ListedPackage, toAll = false) => {
			await publishAgain(plan, ask, { toAll, country: list.country });
			if (toAll) await this.#moveAll();
		};
		return ({ graceDays, ...born }) => {
			const legalEntityId = graceDays === null ? null : (graced.get(graceDays) ?? null);
			return this.#customer(actor, key, { ...born, legalEntityId, list, publish });
		};
	}

	#customer(actor: Actor, key: string, { couponId, currency, startAt, legalEntityId, list, publish }: Born): Customer {
		const { transactions, db, call, clock } = this.#world;
		this.#customers += 1;
		const id = `c${this.#customers}`;
		clock.at = startAt as Instant;
		// Each history begins at its own time, and dates must rise with numbers.
		db.$client.run("UPDATE number_sequences SET last_issued_at = 0");
		const row = transactions.write(actor, (work) =>
			provisionCustomer(work, { id, ...(couponId && { couponId }), ...(currency && { billingCurrency: currency }) }),
		);
		db.$client.run("UPDATE customers SET legal_entity_id = ? WHERE id = ?", [legalEntityId, row.id]);
		// Row ids rise with the machine's time.
		const idsBefore = newUuidV7();
		const lastOf = (table: "invoice_sequences" | "credit_note_sequences"): number =>
			db.$client
				.query<{ last: number }, [string]>(`SELECT last FROM ${table} WHERE environment_id = ?`)
				.get(actor.environmentId)?.last ?? 0;
		const [invoicesBefore, notesBefore] = [lastOf("invoice_sequences"), lastOf("credit_note_sequences")];
		const own = (ref: string) => `${id}-${ref}`;
		const invoiceIds = () =>
			db.$client
				.query<{ id: string }, [string]>(
					"SELECT id FROM invoices WHERE customer_id = ? AND sequence > 0 ORDER BY sequence",
				)
				.all(row.id)
				.map((invoice) => invoice.id);
		const drafts = (work: Work) => {
			const made = db.$client.query<{ id: string }, [string]>(
				"SELECT id FROM invoices WHERE customer_id = ? AND sequence = 0 ORDER BY id",
			);
			return made.all(row.id).map((draft) => getInvoice(work, draft.id));
		};
		const published = new Set<string>();
		return {
			act: async (act) => {
				clock.at = act.at as Instant;
				switch (act.do) {
					case "wait":
						this.#runDue(actor);
						return undefined;
					case "use":
						this.#use(actor, id, act.used);
						return undefined;
					case "publish":
						this.#runDue(actor);
						published.add(act.plan.id);
						await publish(act.plan, act.toAll);
						// Subscriptions of earlier customers follow too, but stay untouched.
						db.$client.run(
							"UPDATE subscriptions SET next_due_at = NULL WHERE environment_id = ? AND customer_id <> ?",
							[actor.environmentId, row.id],
						);
						return undefined;
					case "pay":
					case "credit": {
						this.#runDue(actor);
						const invoiceId = invoiceIds()[act.invoice];
						if (invoiceId === undefined) return "There is no such invoice.";
						return refusalOf(() =>
							transactions.write(actor, (work) => {
								if (act.do === "pay") payInvoice(work, invoiceId, work.now);
								else creditManually(work, id, invoiceId, {});
							}),
						);
					}
					case "finalize":
					case "add line":
						this.#runDue(actor);
						return refusalOf(() =>
							transactions.write(actor, (work) => {
								const draft = drafts(work)[act.draft];
								if (!draft) throw new Error("There is no such draft.");
								if (act.do === "finalize") finalizeInvoice(work, draft, lateUsageOf);
								else addManualLine(work, draft, assertSchema(ManualLine, act.body));
							}),
						);
					case "contract": {
						const invoiceId = (nth: number) => invoiceIds()[nth] ?? "";
						if (!act.isLate) this.#runDue(actor);
						const refusal = refusalOf(() =>
							transactions.write(actor, (work) => runContractAct(work, { customerId: id, own, invoiceId }, act.act)),
						);
						// Due steps of a call run right after it.
						this.#runDue(actor);
						return refusal;
					}
					default:
						return refusalOf(() => transactions.write(actor, (work) => carryOut(work, id, act, own)));
				}
			},
			documents: () => documentsOf(db.$client, row.id, id.length + 1),
			settlement: async () => {
				const { status, body } = await call("GET", `/customers/${id}/balance`, { key });
				if (status !== 200) throw new Error(JSON.stringify(body));
				const invoices = transactions.read(actor, (work) => {
					const rows = invoiceIds().map((invoiceId) => getInvoice(work, invoiceId));
					const due = amountsDue(work, rows);
					return rows.map((one) => ({ state: one.state, due: due.get(one.id) ?? "", currency: one.currency }));
				});
				const balances = body.data.map((one: { amount: number; currency: string }) => ({
					...one,
					amount: String(one.amount),
				}));
				return { invoices, balances };
			},
			agreed: () => transactions.read(actor, (work) => agreedOf(work, own)),
			drift: () =>
				transactions.read(actor, (work) => {
					const [difference] = [
						...checkIssuedInvoices(work, invoicesBefore + 1),
						...checkIssuedCreditNotes(work, notesBefore + 1),
						...checkRates(work, invoicesBefore + 1),
						...checkSubscriptionBills(work, idsBefore),
						...checkInvoiceSeals(work, invoicesBefore + 1),
						...checkCreditNoteSeals(work, notesBefore + 1),
					];
					return difference;
				}),
			leave: () => {
				db.$client.run("UPDATE subscriptions SET next_due_at = NULL WHERE customer_id = ?", [row.id]);
				db.$client.run("UPDATE contracts SET next_due_at = NULL WHERE customer_id = ?", [row.id]);
				db.$client.run("UPDATE invoices SET next_due_at = NULL WHERE customer_id = ? AND sequence = 0", [row.id]);
				db.$client.run("DELETE FROM outbox_notices WHERE environment_id = ?", [actor.environmentId]);
			},
			restore: async () => {
				for (const plan of list.plans) if (published.has(plan.id)) await publish(plan);
			},
		};
	}

	/** Active subscriptions follow a publication to all customers. */
	async #moveAll(): Promise<void> {
		const { transactions, thread } = this.#world;
		const claim = () => transactions.write(systemActor(""), (work) => claimTask(work, ["MIGRATE_SUBSCRIPTIONS"]));
		for (let task = claim(); task; task = claim()) await runMigration(thread, task);
	}

	#runDue(actor: Actor): void {
		const { transactions, clock } = this.#world;
		// Usually nothing is due, and a read is cheaper than a write.
		while ((transactions.read(actor, nextDueAt) ?? Number.POSITIVE_INFINITY) <= clock.at) {
			const step = transactions.write(actor, (work) => runNextDue(work, clock.at));
			if (!step) return;
			if (step.failure) throw step.failure;
		}
	}

	#use({ environmentId }: Actor, customerId: string, used: readonly Used[]): void {
		const events = used.map(({ feature, n, at, resource }) => {
			this.#events += 1;
			const idempotencyKey = `e${this.#events}`;
			const timestamp = toIso(at as Instant);
			const dimensions = { n: Number(n) };
			const of = { customerId, ...(resource !== undefined && { resourceId: resource }) };
			return { eventName: feature, ...of, idempotencyKey, timestamp, dimensions };
		});
		const text = JSON.stringify({ events });
		const now = this.#world.clock.at;
		const [result] = this.#log.ingest([{ environmentId, now, unknownCustomers: "refuse", text }]);
		if (result?.kind !== "accepted") throw new Error(JSON.stringify(result));
		this.#aggregator.run();
	}
}

function refusalOf(body: () => void): string | undefined {
	try {
		body();
		return undefined;
	} catch (error) {
		if (error instanceof DomainError) return `${error.code}: ${error.message}`;
		throw error;
	}
}

function carryOut(
	work: Work,
	customerId: string,
	call: Exclude<Call, { invoice: number } | { draft: number } | { do: "contract" }>,
	own: (ref: string) => string,
): void {
	switch (call.do) {
		case "buy":
			provisionSubscription(
				work,
				assertSchema(SubscriptionProvision, { ...call.body, id: own(call.body.id), customerId }),
			);
			return;
		case "take over":
			importItem(
				work,
				assertSchema(SubscriptionImportItem, { ...call.body, id: own(call.body.id), customerId }),
				salesOf(work),
			);
			return;
		case "change":
			updateSubscription(work, own(call.id), assertSchema(SubscriptionUpdate, call.body));
			return;
		case "cancel":
			cancelSubscription(work, own(call.id), assertSchema(SubscriptionCancel, call.body));
			return;
		case "pause":
			pauseSubscription(work, own(call.id), assertSchema(SubscriptionPause, call.body));
			return;
		case "resume":
			resumeSubscription(work, own(call.id), assertSchema(SubscriptionResume, call.body));
			return;
		case "charge":
			chargeSubscriptionUsage(
				work,
				own(call.id),
				assertSchema(UsageCharge, call.until === work.now ? {} : { untilDate: toIso(call.until as Instant) }),
			);
			return;
		case "transfer":
			transferSubscription(work, own(call.id), assertSchema(SubscriptionTransfer, call.body));
			return;
		case "migrate":
			migrateSubscription(work, own(call.id), assertSchema(SubscriptionMigrate, call.body));
			return;
		case "drop":
			cancelScheduledUpdates(work, own(call.id));
			return;
		case "drop what is to be paid":
			cancelPendingPayment(work, own(call.id));
	}
}

interface Born extends Pick<History, "couponId" | "currency" | "startAt"> {
	/** The row id of the issuer; null: the default one. */
	readonly legalEntityId: string | null;
	readonly list: PriceList;
	/** Sells a plan at other prices from now on. */
	readonly publish: (plan: ListedPackage, toAll?: boolean) => Promise<void>;
}
