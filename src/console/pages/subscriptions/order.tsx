import { useEffect } from "react";
import type { Addon } from "../../../areas/addons/schema";
import type { Coupon } from "../../../areas/coupons/schema";
import type { Charge } from "../../../areas/packages/charges/schema";
import type { Plan } from "../../../areas/plans/schema";
import { type BillingPeriod, shownPeriod, viewBillingPeriod } from "../../../areas/pricing/rules.billing-period";
import type { SubscriptionPreview } from "../../../areas/subscriptions/preview/schema";
import { pathTo } from "../../api";
import { periodOptions, periodsOfPrices } from "../../kit/billing-periods";
import { Field } from "../../kit/forms/fields";
import { Input } from "../../kit/forms/form-fields";
import { type Entered, useForm } from "../../kit/forms/form-state";
import { useOne } from "../../kit/list";
import { Problem } from "../../kit/problem";
import { namedOptions } from "../../kit/values";
import { t } from "../../messages/subscriptions";
import { useFeatures } from "../packages/kinds";
import { Choose } from "../prices/controls";

/** An order as provisioning and previews take it. */
export type Order = Omit<SubscriptionPreview, "customerId">;

type Quantity = { readonly id: string; readonly quantity: number };

/** The form offers this many plans and addons. The API sells the others. */
const shownMax = 100;

/** A form with more selects is harder to read. The API takes as many. */
const couponsMax = 10;

const useCharges = (planId: unknown) =>
	useOne<readonly Charge[]>(planId ? `${pathTo("/plans", String(planId))}/charges?limit=100` : undefined);

/** Returns the charges for units that are bought in advance in a period. */
const boughtByUnit = (charges: readonly Charge[] = [], period: unknown): Charge[] =>
	charges.filter(
		(charge) =>
			charge.billingModel === "PER_UNIT" &&
			shownPeriod(charge) === period &&
			charge.featureId &&
			charge.minUnitQuantity !== null,
	);

const quantitiesOf = (value: unknown): readonly Quantity[] => (Array.isArray(value) ? value : []);

/** The plan, its billing period, quantities, addons and coupon. */
export function OrderFields() {
	const { entered, set } = useForm();
	const { data: plans, error } = useOne<readonly Plan[]>(`/plans?status=PUBLISHED&limit=${shownMax}`);
	const { data: coupons = [] } = useOne<readonly Coupon[]>(`/coupons?status=ACTIVE&limit=${shownMax}`);
	const { data: charges } = useCharges(entered.planId);
	const plan = plans?.find(({ id }) => id === entered.planId);
	const periods = periodsOfPrices(charges ?? []);
	const [shortest] = periods;
	const isSold = periods.some((period) => period === entered.billingPeriod);
	useEffect(() => {
		if (shortest && !isSold) set("billingPeriod", shortest);
	}, [shortest, isSold, set]);
	return (
		<>
			<Problem error={error} />
			<Input name="planId" kind="select" label={t.plan} none={t.choose} isRequired options={namedOptions(plans)} />
			{periods.length > 1 && <Input name="billingPeriod" kind="select" options={periodOptions(periods)} />}
			<Quantities charges={boughtByUnit(charges, entered.billingPeriod)} />
			{plan && <Addons plan={plan} />}
			{plan?.pricingType === "PAID" && coupons.length > 0 && <Coupons of={coupons} />}
		</>
	);
}

/** One coupon, or several that apply in the order in which they are chosen: each choice offers one more. */
function Coupons({ of }: { readonly of: readonly Coupon[] }) {
	const { entered, set } = useForm();
	const chosen = couponsOf(entered.coupons);
	const left = of.filter(({ id }) => !chosen.includes(id));
	const choose = (at: number, id: string) =>
		set("coupons", [...chosen.slice(0, at), ...(id ? [id] : []), ...chosen.slice(at + 1)]);
	const offersMore = left.length > 0 && chosen.length < couponsMax;
	return [...chosen, ...(offersMore ? [""] : [])].map((value, at) => (
		<Choose
			// biome-ignore lint/suspicious/noArrayIndexKey: a coupon is identified by its place.
			key={at}
			label={at === 0 ? t.coupon : t.furtherCoupon({ place: at + 1 })}
			value={value}
			options={[
				{ value: "", label: t.noCoupon },
				...namedOptions(of.filter(({ id }) => id === value || !chosen.includes(id))),
			]}
			onChange={(id) => choose(at, id)}
		/>
	));
}

const couponsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value : []);

/** Returns the coupons as the API takes them. A single one takes the place of the customer's; several apply in addition to it. */
function appliedOf(coupons: readonly string[]): Pick<Order, "appliedCoupon" | "appliedCoupons"> {
	const [couponId] = coupons;
	if (couponId === undefined) return {};
	return coupons.length === 1
		? { appliedCoupon: { couponId } }
		: { appliedCoupons: coupons.map((one) => ({ couponId: one })) };
}

function Quantities({ charges }: { readonly charges: readonly Charge[] }) {
	const { entered, set } = useForm();
	const { nameOf } = useFeatures();
	const given = quantitiesOf(entered.charges);
	return charges.map(({ featureId, minUnitQuantity: min, maxUnitQuantity: max }) => {
		const id = featureId ?? "";
		const change = ({ value, valueAsNumber: quantity }: HTMLInputElement) =>
			set("charges", [
				...given.filter((one) => one.id !== id),
				...(value === "" ? [] : [{ id, type: "FEATURE", quantity }]),
			]);
		return (
			<Field key={id} name={`charges.${id}`} label={nameOf(id)} hint={min ? t.atLeast({ min }) : undefined}>
				{(control) => (
					<input
						{...control}
						{...{ type: "number", min: min ?? 0, max: max ?? undefined, step: 1, placeholder: String(min ?? 1) }}
						value={given.find((one) => one.id === id)?.quantity ?? ""}
						onChange={({ target }) => change(target)}
					/>
				)}
			</Field>
		);
	});
}

function Addons({ plan }: { readonly plan: Plan }) {
	const { entered, set } = useForm();
	const { data: addons = [] } = useOne<readonly Addon[]>(`/addons?status=PUBLISHED&limit=${shownMax}`);
	const given = quantitiesOf(entered.addons);
	const compatible = addons.filter(
		({ id, productId }) =>
			productId === plan.productId && (plan.compatibleAddonIds === null || plan.compatibleAddonIds.includes(id)),
	);
	if (compatible.length === 0) return null;
	const change = (id: string, quantity: number) =>
		set("addons", [...given.filter((one) => one.id !== id), ...(quantity > 0 ? [{ id, quantity }] : [])]);
	return (
		<fieldset className="options">
			<legend>{t.addons}</legend>
			{compatible.map(({ id, displayName, maxQuantity }) => {
				const quantity = given.find((one) => one.id === id)?.quantity ?? 0;
				return (
					<div key={id} className="with-unit">
						<label className="with-unit">
							<input type="checkbox" checked={quantity > 0} onChange={() => change(id, quantity > 0 ? 0 : 1)} />
							{displayName}
						</label>
						{quantity > 0 && maxQuantity !== 1 && (
							<input
								{...{ type: "number", min: 1, max: maxQuantity ?? undefined, value: quantity }}
								aria-label={displayName}
								onChange={({ target }) => change(id, target.valueAsNumber || 1)}
							/>
						)}
					</div>
				);
			})}
		</fieldset>
	);
}

/** Returns the values of the fields as the API takes them. */
export function orderOf({ planId, billingPeriod, charges, addons, coupons }: Entered): Order {
	return {
		planId: String(planId ?? ""),
		...viewBillingPeriod((billingPeriod ?? "MONTHLY") as BillingPeriod),
		...(quantitiesOf(charges).length > 0 && { charges: quantitiesOf(charges) as NonNullable<Order["charges"]> }),
		...(Array.isArray(addons) && { addons: addons as NonNullable<Order["addons"]> }),
		...appliedOf(couponsOf(coupons)),
	};
}
