import { toIso } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { type Anchor, type AnchoredChain, type Removable, signAnchor } from "./rules.anchor";
import { allChains, findEntry } from "./store";
import { type AuditChainRow, accountLevel } from "./table";

/** Builds an anchor of all chains in their current state. */
export const anchorOf = (work: Work, secret: string): string =>
	signAnchor(secret, toIso(work.machineNow), endsOf(work));

/** Returns the current ends of all chains. */
export const endsOf = (work: Work): AnchoredChain[] =>
	allChains(work).map(({ environmentId, id, sequence, hash, sealedSequence }) => ({
		environmentId: environmentId === accountLevel ? null : environmentId,
		...{ entryId: id, sequence, hash, removableTo: sealedSequence },
	}));

export interface Comparison {
	/** A line for each chain that does not continue the anchor. */
	readonly findings: readonly string[];
	/** A line for each chain whose anchored entry was removed because of its age. */
	readonly notes: readonly string[];
}

/** Compares the log with an anchor: each chain must still contain the entry that was its end. */
export function compareWithAnchor(work: Work, { at, chains }: Anchor): Comparison {
	const ends = chainsById(work);
	const compared = chains.map((chain) => compareChain(work, ends, chain, at));
	return {
		findings: compared.flatMap(({ finding }) => finding ?? []),
		notes: compared.flatMap(({ note }) => note ?? []),
	};
}

/**
 * Compares the log with the anchor that Tollgate keeps alongside it (operations.kept-anchor.ts). Tollgate states there how far it may
 * remove old entries before it removes them, so a chain that begins later is a finding too.
 */
export function compareWithKept(work: Work, anchor: Anchor): string[] {
	const chains = chainsById(work);
	return [
		...compareWithAnchor(work, anchor).findings,
		...anchor.chains.flatMap(({ environmentId, removableTo }) => {
			const sealed = chains.get(environmentId ?? accountLevel)?.sealedSequence ?? 0;
			if (sealed <= removableTo) return [];
			return [
				`${nameOf(environmentId)} begins after entry ${sealed}, but Tollgate removed no entry after ${removableTo}; ${remedy}`,
			];
		}),
	];
}

const remedy = "restore a backup";

const nameOf = (environmentId: string | null): string =>
	environmentId === null ? "the audit log of accounts" : `the audit log of ${environmentId}`;

interface ComparedChain {
	readonly finding?: string;
	readonly note?: string;
}

type Chains = ReadonlyMap<string, AuditChainRow>;

const chainsById = (work: Work): Chains => new Map(allChains(work).map((chain) => [chain.environmentId, chain]));

function compareChain(
	work: Work,
	chains: Chains,
	{ environmentId, entryId, sequence, hash }: AnchoredChain,
	at: string,
): ComparedChain {
	const name = nameOf(environmentId);
	const chain = chains.get(environmentId ?? accountLevel);
	if (!chain) return { finding: `${name} is missing: it had ${sequence} entries at ${at}; ${remedy}` };
	if (chain.sequence < sequence)
		return { finding: `${name} ends with entry ${chain.sequence}, but had entry ${sequence} at ${at}; ${remedy}` };
	if (chain.sequence === sequence && chain.hash === hash) return {};
	const rewritten = `entry ${sequence} of ${name} differs from the one at ${at}: the log was rewritten; ${remedy}`;
	if (sequence === chain.sealedSequence) return hash === chain.sealedHash ? {} : { finding: rewritten };
	if (sequence < chain.sealedSequence)
		return { note: `entry ${sequence} of ${name} was removed because of its age and cannot be compared` };
	const entry = findEntry(work, chain.environmentId, entryId);
	return entry?.hash === hash && entry.sequence === sequence ? {} : { finding: rewritten };
}

/**
 * Returns the ends of all chains for the next kept anchor. A chain that does not continue the former anchor keeps its former end,
 * so `check` reports the difference until the operator resolves it. `removable` limits the removal of each chain's oldest entries.
 */
export function nextEnds(work: Work, former: Anchor | undefined, removable: Removable): AnchoredChain[] {
	const chains = chainsById(work);
	const kept = new Map((former?.chains ?? []).map((chain) => [chain.environmentId, chain]));
	const next = endsOf(work).map((end) => {
		const before = kept.get(end.environmentId);
		if (!before) return end;
		kept.delete(end.environmentId);
		if (end.removableTo > before.removableTo || compareChain(work, chains, before, "").finding !== undefined)
			return before;
		const removableTo = Math.max(before.removableTo, removable.get(end.environmentId ?? accountLevel) ?? 0);
		return { ...end, removableTo };
	});
	return [...next, ...kept.values()];
}
