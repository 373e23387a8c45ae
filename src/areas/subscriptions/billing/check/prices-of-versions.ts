import type { Work } from "../../../../kernel/work";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { chargesOf, findVersionOf } from "../../../packages/operations";
import type { StoredPhase } from "../../../packages/rules.phases";
import type { ChargeRow } from "../../../packages/table";
import type { PricedBy } from "../../../pricing/basis";
import type { OfferedCharge } from "../../../pricing/choice/price";
import type { Segment } from "../../../pricing/models/segment";
import { chargeOfSegment } from "../../../pricing/models/segmented-charge";
import { chargeInPhase } from "../../../pricing/rules.phases";
import { chargeUplifted } from "../../../pricing/rules.terms";
import { priceText } from "./rules.prices";

/** Versions whose prices are cached. */
const versionsMax = 500;

/** Caches the prices of versions, for as many as are checked together. */
export function pricesOfVersions(work: Work) {
	const known = new Map<string, PricesOfVersion>();
	const chargesIn = (kind: "PLAN" | "ADDON", refId: string, version: number): PricesOfVersion => {
		const key = [kind, version, refId].join();
		const kept = known.get(key);
		if (kept) return kept;
		if (known.size >= versionsMax) known.clear();
		const row = findVersionOf(work, kind, refId, version);
		const prices = { charges: row ? chargesOf(work, row.id) : [], phases: row?.phases ?? [] };
		known.set(key, prices);
		return prices;
	};
	return {
		/** A line's price must be one of the version that it names, or an override of the subscription. */
		*differences({ named, line: { basis, addonRefId } }: IssuedLine): Generator<string> {
			const { charge, pricedBy, segment } = basis ?? {};
			if (!charge || !pricedBy || pricedBy.isOwn) return;
			const { packageRefId, version, phase, uplift } = pricedBy;
			const stated = priceText(charge);
			const prices = pricesIn(chargesIn(addonRefId === null ? "PLAN" : "ADDON", packageRefId, version), phase);
			if (prices.some((row) => priceText(ofSegment(afterRenewals(row, uplift), segment)) === stated)) return;
			yield `${named}: its price ${stated} is none of version ${version} of ${packageRefId}`;
		},
	};
}

interface PricesOfVersion {
	readonly charges: readonly ChargeRow[];
	readonly phases: readonly StoredPhase[];
}

/** Returns the prices that a version has in a phase: lower ones, or those of the phase. */
function pricesIn({ charges, phases }: PricesOfVersion, phase: PricedBy["phase"]): readonly OfferedCharge[] {
	if (!phase) return charges;
	if (phase.percentOff === undefined) return phases.find(({ id }) => id === phase.id)?.charges?.prices ?? [];
	return charges.map((row) => chargeInPhase(row, phase) ?? row);
}

/** Returns a price after the renewals that a line states. */
const afterRenewals = (row: OfferedCharge, uplift: PricedBy["uplift"]): OfferedCharge =>
	(uplift !== undefined && chargeUplifted(row, uplift)) || row;

const ofSegment = (row: OfferedCharge, segment: Segment | undefined): OfferedCharge =>
	segment && row.priceTerms?.segments ? chargeOfSegment(row, segment) : row;
