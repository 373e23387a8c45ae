import { DomainError, fail } from "../../kernel/errors";

// Builds the paths by which error messages name a row of a price list.

export const refuse = (where: string, why: string) => fail("BadUserInput", `${where}: ${why}`);

/** Returns a path such as `charges.pricingModels[1].pricePeriods[0]`. */
export const modelPath = (list: "pricingModels" | "overagePricingModels", at: number): string =>
	`charges.${list}[${at}]`;
export const minimumPath = (at: number): string => `charges.minimumSpend[${at}]`;
/** Returns the path of the pricing of a phase. */
export const phasePath = (at: number): string => `charges.phases[${at}].charges`;

/** Runs checks of a pricing that is at `place` of the request. Their errors name that place instead of `checkedAs`. */
export function pricingAt<T>(place: string, body: () => T, checkedAs = "charges"): T {
	try {
		return body();
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		const { code, message, reason } = error;
		const names = [checkedAs, `'${checkedAs}`].some((start) => message.startsWith(start));
		const named = names ? message.replace(checkedAs, place) : `${place}: ${message}`;
		throw new DomainError(code, named, reason);
	}
}

export const periodPath = (model: string, at: number): string => `${model}.pricePeriods[${at}]`;
