import type { Addon } from "../../../areas/addons/schema";
import type { Coupon } from "../../../areas/coupons/schema";
import type { Charge } from "../../../areas/packages/charges/schema";
import type { Plan } from "../../../areas/plans/schema";
import type { SubscriptionPreview } from "../../../areas/subscriptions/preview/schema";
import { type Entered, Field, SelectField, useForm } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { t } from "../../messages/subscriptions";
import { useFeatures } from "../packages/names";

/** What is ordered, as provisioning and previewing take it. */
export type Order = Omit<SubscriptionPreview, "customerId">;

type Quantity = { readonly id: string; readonly quantity: number };

/** Our choice: a catalogue of more is sold by the API. */
const shownMax = 100;

export const usePlan = (planId: unknown) =>
	useOne<Plan>(planId ? `/plans/${encodeURIComponent(String(planId))}` : undefined);

const useCharges = (planId: unknown) =>
	useOne<readonly Charge[]>(planId ? `/plans/${encodeURIComponent(String(planId))}/charges?limit=100` : undefined);

/** How many of something is bought by the unit, in the period that is chosen. */
const boughtByUnit = (charges: readonly Charge[] = [], period: unknown): Charge[] =>
	charges.filter(
		({ billingModel, billingPeriod, featureId, minUnitQuantity }) =>
			billingModel === "PER_UNIT" && billingPeriod === period && featureId && minUnitQuantity !== null,
	);

const quantitiesOf = (value: unknown): readonly Quantity[] => (Array.isArray(value) ? value : []);

/** The plan, how it is billed, how much of it, and what comes with it. */
export function OrderFields() {
	const { entered } = useForm();
	const { data: plans, error } = useOne<readonly Plan[]>(`/plans?status=PUBLISHED&limit=${shownMax}`);
	const { data: coupons } = useOne<readonly Coupon[]>(`/coupons?status=ACTIVE&limit=${shownMax}`);
	const { data: charges } = useCharges(entered.planId);
	const plan = plans?.find(({ id }) => id === entered.planId);
	const periods = new Set(charges?.map(({ billingPeriod }) => billingPeriod));
	return (
		<>
			<Problem error={error} />
			<SelectField
				name="planId"
				label={t.plan}
				none={t.choose}
				isRequired
				options={(plans ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
			/>
			{periods.size > 1 && (
				<SelectField
					name="billingPeriod"
					label={t.billingPeriod}
					options={[...periods]
						.sort()
						.reverse()
						.map((value) => ({ value, label: t[value] }))}
				/>
			)}
			<Quantities charges={boughtByUnit(charges, entered.billingPeriod)} />
			{plan && <Addons plan={plan} />}
			{plan?.pricingType === "PAID" && coupons && coupons.length > 0 && (
				<SelectField
					name="couponId"
					label={t.coupon}
					none={t.noCoupon}
					options={coupons.map(({ id, name }) => ({ value: id, label: name }))}
				/>
			)}
		</>
	);
}

function Quantities({ charges }: { readonly charges: readonly Charge[] }) {
	const { entered, set } = useForm();
	const { nameOf } = useFeatures();
	const given = quantitiesOf(entered.charges);
	return charges.map(({ featureId, minUnitQuantity, maxUnitQuantity }) => {
		const id = featureId ?? "";
		const quantity = given.find((one) => one.id === id)?.quantity;
		return (
			<Field
				key={id}
				name={`charges.${id}`}
				label={nameOf(id)}
				hint={minUnitQuantity ? t.atLeast({ min: minUnitQuantity }) : undefined}
			>
				{(control) => (
					<input
						{...control}
						type="number"
						min={minUnitQuantity ?? 0}
						max={maxUnitQuantity ?? undefined}
						step={1}
						value={quantity ?? ""}
						placeholder={String(minUnitQuantity ?? 1)}
						onChange={({ target }) =>
							set("charges", [
								...given.filter((one) => one.id !== id),
								...(target.value === "" ? [] : [{ id, type: "FEATURE", quantity: target.valueAsNumber }]),
							])
						}
					/>
				)}
			</Field>
		);
	});
}

function Addons({ plan }: { readonly plan: Plan }) {
	const { entered, set } = useForm();
	const { data: addons } = useOne<readonly Addon[]>(`/addons?status=PUBLISHED&limit=${shownMax}`);
	const given = quantitiesOf(entered.addons);
	const fitting = (addons ?? []).filter(
		({ id, productId }) =>
			productId === plan.productId && (plan.compatibleAddonIds === null || plan.compatibleAddonIds.includes(id)),
	);
	if (fitting.length === 0) return null;
	const change = (id: string, quantity: number) =>
		set("addons", [...given.filter((one) => one.id !== id), ...(quantity > 0 ? [{ id, quantity }] : [])]);
	return (
		<fieldset className="options">
			<legend>{t.addons}</legend>
			{fitting.map(({ id, displayName, maxQuantity }) => {
				const quantity = given.find((one) => one.id === id)?.quantity ?? 0;
				return (
					<div key={id} className="with-unit">
						<label className="with-unit">
							<input type="checkbox" checked={quantity > 0} onChange={() => change(id, quantity > 0 ? 0 : 1)} />
							{displayName}
						</label>
						{quantity > 0 && maxQuantity !== 1 && (
							<input
								type="number"
								aria-label={displayName}
								min={1}
								max={maxQuantity ?? undefined}
								value={quantity}
								onChange={({ target }) => change(id, target.valueAsNumber || 1)}
							/>
						)}
					</div>
				);
			})}
		</fieldset>
	);
}

/** What the fields have, as the API takes it. */
export function orderOf({ planId, billingPeriod, charges, addons, couponId }: Entered): Order {
	return {
		planId: String(planId ?? ""),
		billingPeriod: billingPeriod === "ANNUALLY" ? "ANNUALLY" : "MONTHLY",
		...(quantitiesOf(charges).length > 0 && { charges: quantitiesOf(charges) as NonNullable<Order["charges"]> }),
		...(Array.isArray(addons) && { addons: addons as NonNullable<Order["addons"]> }),
		...(couponId ? { appliedCoupon: { couponId: String(couponId) } } : {}),
	};
}
