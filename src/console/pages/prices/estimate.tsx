import { type ReactNode, useId, useState } from "react";
import type { Customer } from "../../../areas/customers/schema";
import type { Charge } from "../../../areas/packages/charges/schema";
import type { BillingPeriod } from "../../../areas/packages/schema";
import type { Plan } from "../../../areas/plans/schema";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card } from "../../kit/page";
import { fill } from "../../messages/language";
import { t } from "../../messages/prices";
import { useFeatures } from "../packages/names";
import { Preview } from "../subscriptions/preview";

/** Our choice: enough to choose one of. */
const customersMax = 25;

/** Our choice: where a slider of what has no bounds ends. */
const unboundMax = 1_000;

interface EstimateProps {
	readonly plan: Plan;
	readonly charges: readonly Charge[];
}

/** Quantities and usage on sliders, and the server's own invoice for them. */
export function Estimate({ plan, charges }: EstimateProps) {
	const { data: customers } = useOne<readonly Customer[]>(`/customers?limit=${customersMax}`);
	const periods = [...new Set(charges.map(({ billingPeriod }) => billingPeriod))].sort().reverse();
	const [chosenCustomer, chooseCustomer] = useState<string>();
	const [chosenPeriod, choosePeriod] = useState<BillingPeriod>();
	const [quantities, setQuantities] = useState<Readonly<Record<string, number>>>({});
	const { nameOf } = useFeatures();
	const customerId = chosenCustomer ?? customers?.[0]?.id;
	const billingPeriod = chosenPeriod ?? periods[0] ?? "MONTHLY";
	if (!customerId) return null;
	const counted = countedOf(charges, billingPeriod);
	const quantityOf = ({ id, least }: Counted) => quantities[id] ?? Math.max(least, 1);
	const of = (isUsage: boolean) => counted.filter((one) => one.isUsage === isUsage);
	return (
		<Card title={t.estimate} text={t.estimateText}>
			<div className="estimate">
				<div className="sliders">
					<div className="columns">
						<Labelled label={t.customer}>
							{(id) => (
								<select id={id} value={customerId} onChange={({ target }) => chooseCustomer(target.value)}>
									{customers?.map((one) => (
										<option key={one.id} value={one.id}>
											{one.name ?? one.id}
										</option>
									))}
								</select>
							)}
						</Labelled>
						{periods.length > 1 && (
							<Labelled label={t.period}>
								{(id) => (
									<select
										id={id}
										value={billingPeriod}
										onChange={({ target }) => choosePeriod(periods.find((one) => one === target.value))}
									>
										{periods.map((one) => (
											<option key={one} value={one}>
												{t[one]}
											</option>
										))}
									</select>
								)}
							</Labelled>
						)}
					</div>
					{counted.map((one) => (
						<Labelled
							key={one.id}
							label={one.isUsage ? fill(t.used, { name: nameOf(one.id) }) : nameOf(one.id)}
							value={formatNumber(quantityOf(one))}
						>
							{(id) => (
								<input
									id={id}
									type="range"
									min={one.least}
									max={one.most}
									value={quantityOf(one)}
									onChange={({ target }) => setQuantities({ ...quantities, [one.id]: target.valueAsNumber })}
								/>
							)}
						</Labelled>
					))}
				</div>
				<Preview
					of={{
						customerId,
						planId: plan.id,
						billingPeriod,
						charges: of(false).map((one) => ({ id: one.id, type: "FEATURE", quantity: quantityOf(one) })),
						billableFeatures: of(true).map((one) => ({ featureId: one.id, quantity: quantityOf(one) })),
					}}
				/>
			</div>
		</Card>
	);
}

interface Counted {
	readonly id: string;
	readonly isUsage: boolean;
	readonly least: number;
	readonly most: number;
}

/** What is bought by the unit in that period, and what is used in any. */
function countedOf(charges: readonly Charge[], period: BillingPeriod): Counted[] {
	const found = new Map<string, Counted>();
	for (const charge of charges) {
		const { featureId, billingModel, billingPeriod, tiers, minUnitQuantity: least, maxUnitQuantity: most } = charge;
		const isUsage = billingModel === "USAGE_BASED";
		if (!featureId || !(isUsage || (billingModel === "PER_UNIT" && billingPeriod === period))) continue;
		const bound = Math.max(0, ...(tiers ?? []).map(({ upTo }) => upTo ?? 0)) * 2;
		found.set(featureId, {
			id: featureId,
			isUsage,
			least: isUsage ? 0 : (least ?? 1),
			most: Math.min(most || Number.POSITIVE_INFINITY, bound || (isUsage ? unboundMax : 100)),
		});
	}
	return [...found.values()];
}

interface LabelledProps {
	readonly label: string;
	readonly value?: string;
	readonly children: (id: string) => ReactNode;
}

function Labelled({ label, value, children }: LabelledProps) {
	const id = useId();
	return (
		<div className="field">
			<div className="ends">
				<label htmlFor={id} className="strong">
					{label}
				</label>
				{value && <output htmlFor={id}>{value}</output>}
			</div>
			{children(id)}
		</div>
	);
}
