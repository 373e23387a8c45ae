import { type Big, exact, zero } from "../../../kernel/decimal";
import type { UnitTransformation } from "../unit-conversion";
import { type PricedCharge, rateUnits } from "./charge";
import type { Commitment } from "./commitment";
import { hashOf } from "./segment";

/** A price of usage with a commitment. */
export interface CommittedTerms {
	readonly charge: PricedCharge;
	readonly unitTransformation?: UnitTransformation | null;
}

/** Returns the commitment of a whole window, exact. */
export const committedAmount = (charge: PricedCharge, { amount, quantity = zero }: Commitment): Big =>
	amount === undefined ? rateUnits({ ...charge, priceTerms: null }, quantity).amount : exact(amount);

/** Returns one text for each price with a commitment: windows at another price are another charge. */
export function committedPriceId({ charge, unitTransformation = null }: CommittedTerms): string {
	const { price, tiersMode, tiers, blockSize, priceTerms } = charge;
	const { commitment, segments, transactionPrice, chargesFlatPriceUnused } = priceTerms ?? {};
	const counted = transactionPrice ? null : unitTransformation;
	return hashOf([
		...[price, tiersMode, tiers, blockSize],
		...[commitment, segments, transactionPrice, chargesFlatPriceUnused, counted],
	]);
}
