import { repricedPrices } from "../currencies.random";
import { cyclesOf, type ListedPackage, type ListedPhase, type ListedTerm, type PriceList } from "../price-list";
import type { Random } from "../random";

/** Returns the list with phases for some of its paid plans, and terms for some. */
export function withAgreements(random: Random, list: PriceList): PriceList {
	const hasPhases = random.chance(0.35);
	const hasTerms = random.chance(0.35);
	const plans = list.plans.map((plan): ListedPackage => {
		if (plan.charges.length === 0) return plan;
		return {
			...plan,
			...(hasPhases && random.chance(0.7) && { phases: phasesFor(random, plan) }),
			...(hasTerms && random.chance(0.7) && { term: termFor(random) }),
		};
	});
	return { ...list, plans };
}

const phasesFor = (random: Random, plan: ListedPackage): ListedPhase[] =>
	Array.from({ length: random.whole(1, 3) }, (_, at) => ({
		id: `phase-${at + 1}`,
		duration: random.chance(0.7)
			? { unit: "MONTH" as const, count: random.whole(1, 5) }
			: { unit: "DAY" as const, count: random.whole(1, 70) },
		...pricesFor(random, plan),
	}));

/** Returns a percentage off the prices of a plan, or other prices of some of the same things. */
function pricesFor(random: Random, plan: ListedPackage): Pick<ListedPhase, "percent" | "charges"> {
	const percent = random.oneOf(["0", "100", random.decimal(99, 2)]);
	if (plan.others || plan.abroad || random.chance(0.6)) return { percent };
	const sold = plan.charges.filter(({ beyond }) => !beyond && random.chance(0.8));
	const charges = sold.map((charge) => ({ ...charge, prices: repricedPrices(random, charge.prices) }));
	const cycles = cyclesOf({ ...plan, charges });
	return cyclesOf(plan).every((cycle) => cycles.includes(cycle)) ? { charges } : { percent };
}

function termFor(random: Random): ListedTerm {
	const months = random.whole(1, 14);
	const early = random.oneOf(["AT_TERM_END", "PAY_REMAINDER", "PAY_REMAINDER", "ALLOWED"] as const);
	if (random.chance(0.25)) return { months, renewal: null, early };
	const length = random.chance(0.5) ? months : random.whole(2, 12);
	const notice = random.chance(0.5) ? 0 : random.whole(0, Math.min(365, 28 * Math.min(months, length)));
	const percent = random.oneOf(["0", random.decimal(15, 1), random.decimal(15, 1)]);
	return { months, renewal: { months: length, notice, percent, upliftsUsage: random.chance(0.5) }, early };
}
