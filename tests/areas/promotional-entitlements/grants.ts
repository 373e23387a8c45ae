import type { Answer, World } from "../../support/world";
import { maker, metered, region, seats } from "../packages/catalogue";

/** An item with all its keys, most of them null. */
export const item = (featureId: string, more: object = {}) => ({
	featureId,
	period: "1 month",
	customEndDate: null,
	usageLimit: null,
	hasUnlimitedUsage: null,
	hasSoftLimit: null,
	isVisible: null,
	enumValues: null,
	resetPeriod: null,
	yearlyResetPeriodConfiguration: null,
	monthlyResetPeriodConfiguration: null,
	weeklyResetPeriodConfiguration: null,
	...more,
});

export const body = (...promotionalEntitlements: object[]) => ({ promotionalEntitlements });

/** A customer `acme`, and features of each kind. */
export async function prepare(ours: World): Promise<void> {
	const make = maker(ours);
	await make.feature("sso");
	await make.feature("audit");
	await make.feature("calls", metered);
	await make.feature("seats", seats);
	await make.feature("depth", { featureType: "NUMBER" });
	await make.feature("region", region);
	await ours.call("POST", "/customers", { body: { id: "acme" } });
}

export const path = "/customers/acme/promotional-entitlements";

export const grant = ({ call }: Pick<World, "call">, ...items: object[]): Promise<Answer> =>
	call("POST", path, { body: body(...items) });

/** Grants, and insists that it worked. */
export async function granted(ours: Pick<World, "call">, ...items: object[]) {
	const answer = await grant(ours, ...items);
	if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
	return answer.body.data;
}

export interface Shown {
	readonly id: string;
	readonly featureId: string;
	readonly status: string;
	readonly endDate: string | null;
}

export const list = async ({ call }: Pick<World, "call">, query = ""): Promise<Shown[]> =>
	(await call("GET", `${path}${query}`)).body.data;
