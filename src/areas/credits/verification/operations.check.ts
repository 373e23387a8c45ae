import type { Work } from "../../../kernel/work";
import { emptyHash, hashOf } from "../ledger/rules.chain";
import { RevenueTotals, revenueKey } from "../revenue/revenue-totals";
import { noRevenue } from "../revenue/rules.tally";
import { revenueRows } from "../revenue/store";
import { accounts, isBalanced } from "../rules.accounts";
import type { CreditGrantRow, CreditWalletRow } from "../table";
import { ExpectedBalances, usageKey } from "./expected-balances";
import { misstatementOf } from "./rules.grants";
import { entriesAfter, entriesOf, grantsOf, usageOf, wallets } from "./store";

/** The wallets that the result names. */
const namedMax = 20;

const remedy =
	"`tollgate credits rebuild` recalculates wallets, grants and usage from an intact ledger, while the server is stopped";

/** Verifies the hash chain of the ledger over all environments. Returns the first invalid entry, or nothing. */
export function checkChain(work: Work): string[] {
	let last = { sequence: 0, hash: emptyHash };
	for (;;) {
		const entries = entriesAfter(work, last.sequence);
		if (entries.length === 0) return [];
		for (const { hash, ...entry } of entries) {
			const named = `entry ${entry.sequence} of the credit ledger (${entry.id})`;
			if (entry.sequence !== last.sequence + 1)
				return [`entry ${last.sequence + 1} is missing before ${named}; restore a backup`];
			if (hashOf(last.hash, entry) !== hash) return [`${named} or the entry before it was changed; restore a backup`];
			last = { sequence: entry.sequence, hash };
		}
	}
}

/**
 * Verifies the wallets of an environment, their grants, their usage by hours and days, and its revenue against the ledger. Returns
 * one line for each of the first wallets that differ. Holds one wallet in memory at a time, without its entries.
 */
export function checkWallets(work: Work): string[] {
	const findings: string[] = [];
	const revenue = new RevenueTotals(work.actor.environmentId);
	for (const wallet of wallets(work)) {
		const finding = checkWallet(work, wallet, revenue);
		if (finding !== undefined) findings.push(finding);
		if (findings.length > namedMax) return [...findings.slice(0, namedMax), "more wallets differ", remedy];
	}
	if (findings.length === 0) findings.push(...revenueFindings(work, revenue));
	return findings.length === 0 ? [] : [...findings, remedy];
}

function checkWallet(work: Work, wallet: CreditWalletRow, revenue: RevenueTotals): string | undefined {
	const { id } = wallet;
	const named = `the credit wallet ${id} (customer ${wallet.customerId}, currency ${wallet.currencyId})`;
	const grants = grantsOf(work, id);
	const balances = new ExpectedBalances(wallet, grants);
	for (const entry of entriesOf(work, id)) {
		const wrong = balances.add(entry);
		if (wrong !== undefined) return `entry ${entry.sequence} of the credit ledger (${entry.id}), of ${named}: ${wrong}`;
	}
	revenue.add(wallet.currencyId, balances.revenue());
	const wrong =
		grantFinding(grants, balances) ?? walletFinding(wallet, grants, balances) ?? usageFinding(work, id, balances);
	return wrong === undefined ? undefined : `${named}: ${wrong}`;
}

function grantFinding(grants: ReadonlyMap<string, CreditGrantRow>, balances: ExpectedBalances): string | undefined {
	for (const grant of grants.values()) {
		const wrong = misstatementOf(grant, balances.ofGrant(grant.id));
		if (wrong !== undefined) return `grant ${grant.id} ('${grant.displayName}'): ${wrong}`;
	}
	return undefined;
}

function walletFinding(
	wallet: CreditWalletRow,
	grants: ReadonlyMap<string, CreditGrantRow>,
	balances: ExpectedBalances,
): string | undefined {
	const expected = balances.wallet();
	for (const name of [...accounts, "activeAmount", "activeConsumed", "entryCount", "overdraftGrantId"] as const)
		if (wallet[name] !== expected[name]) return `${name} is ${wallet[name]}, the ledger gives ${expected[name]}`;
	if (!isBalanced(wallet)) return "granted + overdraft is not balance + consumed + expired + voided";
	const overdrafts = [...grants.values()].filter(
		({ grantType, status }) => grantType === "OVERDRAFT" && status === "ACTIVE",
	);
	return overdrafts.length > 1 ? `it has ${overdrafts.length} overdrafts at once` : undefined;
}

function usageFinding(work: Work, walletId: string, balances: ExpectedBalances): string | undefined {
	const rows = new Map(usageOf(work, walletId).map((row) => [usageKey(row), row]));
	for (const [key, { span, at, amount, events }] of balances.usage()) {
		const row = rows.get(key);
		rows.delete(key);
		if (row?.amount !== amount || row.events !== events)
			return `the ${span} of ${new Date(at).toISOString()} has ${row?.amount ?? "0"} consumed ${row?.events ?? 0} times, the ledger gives ${amount}, ${events} times`;
	}
	const [more] = rows.values();
	return (
		more &&
		`the ${more.span} of ${new Date(more.at).toISOString()} has ${more.amount} consumed, which no ledger entry records`
	);
}

function revenueFindings(work: Work, revenue: RevenueTotals): string[] {
	const expected = new Map(revenue.rows());
	for (const row of revenueRows(work)) {
		const key = revenueKey(row);
		const { granted, recognised, breakage, voided } = expected.get(key) ?? noRevenue;
		const named = `the credit revenue of the ${row.span} of ${new Date(row.at).toISOString()} (${row.grantType}, currency ${row.currencyId}, ${row.costCurrency})`;
		if (row.granted !== granted || row.recognised !== recognised || row.breakage !== breakage || row.voided !== voided)
			return [`${named} differs from the ledger`];
		expected.delete(key);
	}
	return expected.size === 0 ? [] : ["days or months of credit revenue are missing"];
}
