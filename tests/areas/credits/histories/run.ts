import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { consumeFromWallets, type WalletUse } from "../../../../src/areas/credits/operations.consume";
import { confirmPayment, issueGrant } from "../../../../src/areas/credits/operations.issue";
import { voidGrant } from "../../../../src/areas/credits/operations.void";
import { findWallet, totalsOf } from "../../../../src/areas/credits/operations.wallets";
import { isBalanced } from "../../../../src/areas/credits/rules.accounts";
import { type CreditGrantRow, creditEntries, creditGrants, creditUsage } from "../../../../src/areas/credits/table";
import { provisionCustomer } from "../../../../src/areas/customers/operations";
import type { Instant } from "../../../../src/kernel/clock";
import type { Decimal } from "../../../../src/kernel/decimal";
import type { Work } from "../../../../src/kernel/work";
import { actor, type ground } from "../ground";
import { type Granted, millionths, spelled, WalletOracle } from "./oracle";
import type { Act } from "./random";

const hour = 3_600_000;

type Ground = ReturnType<typeof ground>;
let customers = 0;

/**
 * Runs a history for two customers, one that consumes amounts together and one that consumes them one by one. Compares both with the
 * independent calculation after each act.
 */
export function live(ground: Ground, history: readonly Act[]): void {
	const begin = ground.clock.at;
	const oracle = new WalletOracle();
	const wallets = [true, false].map((isTogether) => new LivedWallet(ground, begin, isTogether));
	let now = 0;
	for (const act of history) {
		if (act.act === "turn") {
			now += act.hours;
			oracle.turn(act.hours);
			ground.clock.at = (begin + now * hour) as Instant;
		} else if (act.act === "grant") {
			const { startsIn, lasts, cost, ...granted } = act.granted;
			const from = now + startsIn;
			const grant = { ...granted, name: `${oracle.grants.length}`, from, until: lasts === null ? null : from + lasts };
			oracle.grant(grant);
			for (const wallet of wallets) wallet.grant(grant, cost);
		} else if (act.act === "draw") {
			for (const amount of act.amounts) oracle.draw(amount);
			for (const wallet of wallets) wallet.draw(act.amounts);
		} else {
			oracle[act.act](act.grant);
			for (const wallet of wallets) wallet[act.act](act.grant);
		}
		for (const wallet of wallets) wallet.compare(oracle);
	}
}

type Cost = Readonly<{ amount: string; currency: string }>;

class LivedWallet {
	readonly #ground: Ground;
	readonly #begin: Instant;
	readonly #isTogether: boolean;
	readonly #of: WalletUse["wallet"];
	readonly #grants: string[] = [];
	#drawn = 0;
	#drawnTotal = 0n;

	constructor(ground: Ground, begin: Instant, isTogether: boolean) {
		this.#ground = ground;
		this.#begin = begin;
		this.#isTogether = isTogether;
		customers += 1;
		const customerId = this.#write((work) => provisionCustomer(work, { id: `history-${customers}` }).id);
		this.#of = { ...ground.wallet, customerId };
	}

	grant({ name, type, amount, priority, from, until, awaitsPayment }: Granted, cost: Cost): void {
		const { id } = this.#write((work) =>
			issueGrant(work, {
				...this.#of,
				displayName: name,
				grantType: type,
				amount: spelled(amount) as Decimal,
				priority,
				cost: { ...cost, amount: cost.amount as Decimal },
				effectiveAt: this.#at(from),
				expireAt: until === null ? null : this.#at(until),
				awaitsPayment,
			}),
		);
		this.#grants.push(id);
	}

	pay(at: number): void {
		this.#write((work) => {
			const grant = this.#find(work, at);
			if (grant?.status === "PAYMENT_PENDING") confirmPayment(work, grant);
			else consumeFromWallets(work, [this.#draw(work, 0n)]);
		});
	}

	void(at: number): void {
		this.#write((work) => {
			const grant = this.#find(work, at);
			if (grant) voidGrant(work, grant);
			else consumeFromWallets(work, [this.#draw(work, 0n)]);
		});
	}

	draw(amounts: readonly bigint[]): void {
		if (this.#isTogether)
			this.#write((work) =>
				consumeFromWallets(
					work,
					amounts.map((amount) => this.#draw(work, amount)),
				),
			);
		else for (const amount of amounts) this.#write((work) => consumeFromWallets(work, [this.#draw(work, amount)]));
	}

	compare(oracle: WalletOracle): void {
		const { transactions } = this.#ground;
		transactions.read(actor, (work) => {
			const grants = work.tx.select().from(creditGrants).where(eq(creditGrants.customerId, this.#of.customerId)).all();
			const overdrafts = grants.filter(({ grantType }) => grantType === "OVERDRAFT");
			const given = grants.filter(({ grantType }) => grantType !== "OVERDRAFT");
			expect(given.map(({ status, consumed }) => `${status} ${consumed}`)).toEqual(
				oracle.grants.map(({ status, consumed }) => `${status} ${spelled(consumed)}`),
			);
			expect(overdrafts).toHaveLength(oracle.overdrafts);
			const open = overdrafts.filter(({ status }) => status === "ACTIVE");
			expect(open.map(({ consumed }) => `${consumed}`)).toEqual(
				oracle.overdraft === 0n ? [] : [spelled(oracle.overdraft)],
			);
			const wallet = findWallet(work, this.#of);
			const { limit, usage } = wallet ? totalsOf(wallet) : { limit: "0", usage: "0" };
			const shown = oracle.shown();
			expect<unknown>({ limit, usage }).toEqual({ limit: spelled(shown.limit), usage: spelled(shown.usage) });
			this.#compareAccounts(oracle);
			this.#compareLedger(work, oracle, new Map(grants.map(({ id, displayName }) => [id, displayName])));
			this.#compareUsage(work);
		});
	}

	#compareAccounts(oracle: WalletOracle): void {
		const row = this.#ground.db.$client
			.query<Record<string, string>, [string]>("SELECT * FROM credit_wallets WHERE customer_id = ?")
			.get(this.#of.customerId);
		if (!row) return;
		const accounts = oracle.accounts();
		for (const [account, amount] of Object.entries(accounts))
			expect(`${account} ${row[account]}`).toBe(`${account} ${spelled(amount)}`);
		expect(isBalanced(row as never)).toBe(true);
		expect(row.overdraft_grant_id !== null).toBe(oracle.overdraft !== 0n);
	}

	#compareLedger(work: Work, oracle: WalletOracle, names: ReadonlyMap<string, string>): void {
		const entries = work.tx
			.select()
			.from(creditEntries)
			.where(eq(creditEntries.customerId, this.#of.customerId))
			.orderBy(creditEntries.sequence)
			.all();
		expect(
			entries.map(
				({ eventType, amount, grantId }) =>
					`${eventType.replace("CREDITS_", "").replace("CONSUMPTION_", "")} ${amount} ${names.get(grantId)}`,
			),
		).toEqual(oracle.ledger);
	}

	/** Usage by hours and by days totals all consumption. */
	#compareUsage(work: Work): void {
		const rows = work.tx
			.select()
			.from(creditUsage)
			.where(eq(creditUsage.walletId, findWallet(work, this.#of)?.id ?? ""))
			.all();
		for (const span of ["hour", "day"]) {
			const those = rows.filter((row) => row.span === span);
			expect(those.reduce((total, { amount }) => total + millionths(amount), 0n)).toBe(this.#drawnTotal);
			expect(those.reduce((total, { events }) => total + events, 0)).toBe(this.#drawn);
		}
	}

	#draw(work: Work, amount: bigint): WalletUse {
		if (amount > 0n) this.#drawn += 1;
		this.#drawnTotal += amount;
		const eventId = work.newId();
		return {
			wallet: this.#of,
			amount: spelled(amount) as Decimal,
			at: work.now,
			featureId: null,
			eventId,
			dimensions: null,
		};
	}

	readonly #at = (hours: number): Instant => (this.#begin + hours * hour) as Instant;

	#find(work: Work, at: number): CreditGrantRow | undefined {
		return work.tx
			.select()
			.from(creditGrants)
			.where(eq(creditGrants.id, this.#grants[at] ?? ""))
			.get();
	}

	#write<T>(body: (work: Work) => T): T {
		return this.#ground.transactions.write(actor, body as (work: Work) => never);
	}
}

/** Verifies the hash chain with another library. */
export function compareChain({ db }: Ground): void {
	let before = "";
	for (const row of db.$client
		.query<Record<string, string | number | null>, []>("SELECT * FROM credit_entries ORDER BY sequence")
		.iterate()) {
		const said = [
			before,
			row.sequence,
			row.id,
			row.environment_id,
			row.wallet_id,
			row.customer_id,
			row.grant_id,
			row.event_type,
			row.amount,
			row.from_account,
			row.to_account,
			row.feature_id,
			row.event_id,
			row.dimensions === null ? null : JSON.parse(`${row.dimensions}`),
			row.at,
		];
		before = createHash("sha256").update(JSON.stringify(said)).digest("hex");
		expect(row.hash).toBe(before);
	}
}
