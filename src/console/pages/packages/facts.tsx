import { Link } from "wouter";
import type { DefaultTrialConfig } from "../../../areas/plans/schema";
import { Id } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { When } from "../../kit/money";
import { Facts } from "../../kit/page";
import { t } from "../../messages/packages";
import type { OfPackage } from "./kinds";
import { pricingOf } from "./table";

type Fact = Parameters<typeof Facts>[0]["of"][number];

export function PackageFacts({ of: one }: OfPackage) {
	return (
		<Facts
			of={[
				[
					t.product,
					<Link key="product" href={`/products/${encodeURIComponent(one.productId)}`}>
						{one.productId}
					</Link>,
				],
				[t.pricing, pricingOf(one)],
				...("maxQuantity" in one ? ofAddon(one) : ofPlan(one)),
				...Object.entries(one.metadata).map(([name, value]) => [name, value] as const),
				[t.created, <When key="created" at={one.createdAt} />],
				[t.id, <Id key="id" of={one.id} />],
			]}
		/>
	);
}

const links = (path: string, ids: readonly string[]) => (
	<span className="badges">
		{ids.map((id) => (
			<Link key={id} href={`${path}/${encodeURIComponent(id)}`}>
				{id}
			</Link>
		))}
	</span>
);

function ofPlan(plan: Extract<OfPackage["of"], { compatibleAddonIds: unknown }>): Fact[] {
	const { parentPlanId, defaultTrialConfig: trial, compatibleAddonIds: addons } = plan;
	return [
		...(parentPlanId ? [[t.basePlan, links("/plans", [parentPlanId])] as const] : []),
		...(trial && trial.duration > 0 ? [[t.trial, trialText(trial)] as const] : []),
		[t.addons, addons === null ? t.allAddons : addons.length === 0 ? t.none : links("/addons", addons)],
	];
}

const trialText = ({ duration, units }: DefaultTrialConfig): string =>
	(units === "DAY" ? t.trialDays : t.trialMonths)({ count: formatNumber(duration) });

function ofAddon(addon: Extract<OfPackage["of"], { maxQuantity: unknown }>): Fact[] {
	const { dependencies, maxQuantity } = addon;
	return [
		...(maxQuantity !== null ? [[t.maxQuantity, formatNumber(maxQuantity)] as const] : []),
		...(dependencies && dependencies.length > 0 ? [[t.dependencies, links("/addons", dependencies)] as const] : []),
	];
}
