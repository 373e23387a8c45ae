import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Transaction, Work } from "../../../kernel/work";
import { type ChargeRow, packageVersions } from "../table";

// A version contains the prices of its phases, up to 256 kB of JSON, and there may be thousands of versions. SQLite reads the fields of these
// prices, one version after the other. Memory has their different values only.

/** The prices of phases, as `price`. */
const eachPhase = sql`json_each(${packageVersions.phases}) AS phase`;
const eachPrice = sql`json_each(phase.value, '$.charges.prices') AS price`;
const always = sql`true`;

const fieldOf = (name: keyof ChargeRow) => sql<string | null>`price.value ->> ${sql.raw(`'${name}'`)}`;

const isPhased = isNotNull(packageVersions.phases);
const inEnvironment = and(eq(packageVersions.environmentId, sql.placeholder("environmentId")), isPhased);
const isPricedInCredits = and(
	eq(fieldOf("billingModel"), "CREDIT_BASED"),
	isNotNull(fieldOf("featureId")),
	isNotNull(fieldOf("creditCurrencyId")),
);

const creditPriced = (tx: Transaction) =>
	tx
		.selectDistinct({ featureId: fieldOf("featureId") })
		.from(packageVersions)
		.innerJoin(eachPhase, always)
		.innerJoin(eachPrice, always)
		.where(and(inEnvironment, isPricedInCredits))
		.prepare();

/** Returns the row ids of the features that phases of drafts and published versions price in credits. */
export const selectCreditPricedInPhases = (work: Work): Array<{ readonly featureId: string | null }> =>
	work.remembered(creditPriced).all({ environmentId: work.actor.environmentId });

const pricedEnvironments = (tx: Transaction) =>
	tx
		.selectDistinct({ environmentId: packageVersions.environmentId })
		.from(packageVersions)
		.innerJoin(eachPhase, always)
		.innerJoin(eachPrice, always)
		.where(and(isPhased, isPricedInCredits))
		.prepare();

/** Returns the environments in which phases price a feature in credits. */
export const selectEnvironmentsPricedInPhases = (work: Work): Array<{ readonly environmentId: string }> =>
	work.remembered(pricedEnvironments).all();

const priceTerms = (tx: Transaction) =>
	tx
		.selectDistinct({
			featureId: fieldOf("featureId"),
			priceTerms: sql`${fieldOf("priceTerms")}`.mapWith((text: string): ChargeRow["priceTerms"] => JSON.parse(text)),
		})
		.from(packageVersions)
		.innerJoin(eachPhase, always)
		.innerJoin(eachPrice, always)
		.where(and(inEnvironment, isNotNull(fieldOf("priceTerms"))))
		.prepare();

/** Returns the different terms of prices that phases of drafts and published versions have. */
export const selectPriceTermsOfPhases = (work: Work): Array<Pick<ChargeRow, "featureId" | "priceTerms">> =>
	work.remembered(priceTerms).all({ environmentId: work.actor.environmentId });

/** The row ids of the versions of the work's environment whose phases have such a price. */
export const versionsWithPhasePrice = ({ tx, actor }: Work, fields: ReadonlyArray<keyof ChargeRow>, value: string) => {
	const isSuch: SQL | undefined = or(...fields.map((name) => eq(fieldOf(name), value)));
	return tx
		.select({ id: packageVersions.id })
		.from(packageVersions)
		.innerJoin(eachPhase, always)
		.innerJoin(eachPrice, always)
		.where(and(eq(packageVersions.environmentId, actor.environmentId), isPhased, isSuch));
};
