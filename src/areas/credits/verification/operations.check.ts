import type { Work } from "../../../kernel/work";
import { hashOf, noHash } from "../ledger/rules.chain";
import { RevenueTotals, revenueKey } from "../revenue/revenue-totals";
import { nothing } from "../revenue/rules.tally";
import { revenueRows } from "../revenue/store";
import { accounts, isBalanced } from "../rules.accounts";
import type { CreditGrantRow, CreditWalletRow } from "../table";
import { Reckoning, usageKey } from "./expected-balances";
import { misstatementOf } from "./rules.grants";
import { entriesAfter, entriesOf, grantsOf, usageOf, wallets } from "./store";

/** Our choice: so many wallets are named. */
const namedMax = 20;

const remedy =
	"`tollgate credits rebuild` reckons wallets, grants and usage anew from a ledger that is sound, on a stopped server";

/**
 * Whether each entry of the ledger follows from the one before it, those of all environments: the first that does not is
 * named. Empty when all do.
 */
export function checkChain(work: Work): string[] {
	let last = { sequence: 0, hash: noHash };
	for (;;) {
		const entries = entriesAfter(work, last.sequence);
		if (entries.length === 0) return [];
		for (const { hash, ...entry } of entries) {
			const named = `entry ${entry.sequence} of the credit ledger (${entry.id})`;
			if (entry.sequence !== last.sequence + 1)
				return [`before ${named} an entry is missing: ${last.sequence + 1}; restore a backup`];
			if (hashOf(last.hash, entry) !== hash)
				return [`${named} is not what was written, or what it follows is not; restore a backup`];
			last = { sequence: entry.sequence, hash };
		}
	}
}

/**
 * Whether the wallets of an environment, their grants, their usage by hours and days, and its revenue are what the entries of
 * the ledger make; a line for each wallet that is not, for the first of them. One wallet is held in memory at once, without
 * its entries.
 */
export function checkWallets(work: Work): string[] {
	const findings: string[] = [];
	const revenue = new RevenueTotals(work.actor.environmentId);
	for (const wallet of wallets(work)) {
		const finding = checkWallet(work, wallet, revenue);
		if (finding !== undefined) findings.push(finding);
		if (findings.length > namedMax) return [...findings.slice(0, namedMax), "there are more such wallets", remedy];
	}
	if (findings.length === 0) findings.push(...revenueFindings(work, revenue));
	return findings.length === 0 ? [] : [...findings, remedy];
}

function checkWallet(work: Work, wallet: CreditWalletRow, revenue: RevenueTotals): string | undefined {
	const { id } = wallet;
	const named = `the credit wallet ${id} (customer ${wallet.customerId}, currency ${wallet.currencyId})`;
	const grants = grantsOf(work, id);
	const reckoning = new Reckoning(wallet, grants);
	for (const entry of entriesOf(work, id)) {
		const wrong = reckoning.add(entry);
		if (wrong !== undefined) return `entry ${entry.sequence} of the credit ledger (${entry.id}), of ${named}: ${wrong}`;
	}
	revenue.add(wallet.currencyId, reckoning.revenue());
	const wrong =
		grantFinding(grants, reckoning) ?? walletFinding(wallet, grants, reckoning) ?? usageFinding(work, id, reckoning);
	return wrong === undefined ? undefined : `${named}: ${wrong}`;
}

function grantFinding(grants: ReadonlyMap<string, CreditGrantRow>, reckoning: Reckoning): string | undefined {
	for (const grant of grants.values()) {
		const wrong = misstatementOf(grant, reckoning.ofGrant(grant.id));
		if (wrong !== undefined) return `grant ${grant.id} ('${grant.displayName}'): ${wrong}`;
	}
	return undefined;
}

function walletFinding(
	wallet: CreditWalletRow,
	grants: ReadonlyMap<string, CreditGrantRow>,
	reckoning: Reckoning,
): string | undefined {
	const reckoned = reckoning.wallet();
	for (const name of [...accounts, "activeAmount", "activeConsumed", "entryCount", "overdraftGrantId"] as const)
		if (wallet[name] !== reckoned[name]) return `${name} is ${wallet[name]}, the entries make ${reckoned[name]}`;
	if (!isBalanced(wallet)) return "what was granted and overdrawn is not what is left, consumed, expired and voided";
	const overdrafts = [...grants.values()].filter(
		({ grantType, status }) => grantType === "OVERDRAFT" && status === "ACTIVE",
	);
	return overdrafts.length > 1 ? `it has ${overdrafts.length} overdrafts at once` : undefined;
}

function usageFinding(work: Work, walletId: string, reckoning: Reckoning): string | undefined {
	const rows = new Map(usageOf(work, walletId).map((row) => [usageKey(row), row]));
	for (const [key, { span, at, amount, events }] of reckoning.usage()) {
		const row = rows.get(key);
		rows.delete(key);
		if (row?.amount !== amount || row.events !== events)
			return `the ${span} of ${new Date(at).toISOString()} has ${row?.amount ?? "0"} consumed ${row?.events ?? 0} times, the entries make ${amount}, ${events} times`;
	}
	const [more] = rows.values();
	return (
		more && `the ${more.span} of ${new Date(more.at).toISOString()} has ${more.amount} consumed that no entry tells of`
	);
}

function revenueFindings(work: Work, revenue: RevenueTotals): string[] {
	const reckoned = new Map(revenue.rows());
	for (const row of revenueRows(work)) {
		const key = revenueKey(row);
		const { granted, recognised, breakage, voided } = reckoned.get(key) ?? nothing;
		const named = `the credit revenue of the ${row.span} of ${new Date(row.at).toISOString()} (${row.grantType}, currency ${row.currencyId}, ${row.costCurrency})`;
		if (row.granted !== granted || row.recognised !== recognised || row.breakage !== breakage || row.voided !== voided)
			return [`${named} is not what the entries of the ledger make`];
		reckoned.delete(key);
	}
	return reckoned.size === 0 ? [] : ["days or months of credit revenue are missing"];
}
