import { type Coupon, CouponCreate, CouponUpdate } from "../../../areas/coupons/schema";
import type { Customer } from "../../../areas/customers/schema";
import { pathTo } from "../../api";
import { Id } from "../../kit/copy";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { formatMoney, formatNumber, formatPercent } from "../../kit/format";
import { FormButton, FormDialog } from "../../kit/forms/form-dialog";
import type { Entered } from "../../kit/forms/form-state";
import { ListAndPages, ListCard, ListScreen } from "../../kit/list-card";
import { Card, Facts, Loaded, Page } from "../../kit/page";
import { createdColumn, idColumn, statusColumn } from "../../kit/table";
import { Status, statusOptions, When } from "../../kit/values";
import { t } from "../../messages/coupons";
import { may } from "../../session";

const Coupons = () => <ListAndPages path="/coupons" list={<CouponList />} page={(id) => <CouponPage id={id} />} />;
export default Coupons;

function discountOf({ percentOff, amountsOff, freeUnits }: Coupon): string {
	if (freeUnits)
		return freeUnits
			.map(({ featureId, quantity }) => t.unitsOf({ count: formatNumber(quantity), feature: featureId }))
			.join(", ");
	return percentOff !== null ? formatPercent(percentOff / 100) : (amountsOff ?? []).map(formatMoney).join(" / ");
}

function durationOf({ durationInMonths, durationInPeriods }: Coupon): string {
	if (durationInPeriods !== undefined) return t.periods({ count: formatNumber(durationInPeriods) });
	return durationInMonths === null ? t.forever : t.months({ count: formatNumber(durationInMonths) });
}

/** The lists of a scope, by their names in the API. */
const scopeLists = ["planIds", "addonIds", "featureIds", "chargeKeys"] as const;

const scopeOf = ({ appliesTo = {} }: Coupon): string =>
	scopeLists.flatMap((name) => (appliesTo[name] ? [`${t[name]}: ${appliesTo[name].join(", ")}`] : [])).join("; ");

const CouponList = () => (
	<ListScreen<Coupon>
		path="/coupons"
		texts={t}
		filters={[{ name: "status", label: t.status, options: statusOptions(["ACTIVE", "ARCHIVED"]) }]}
		columns={[
			{ head: t.coupon, cell: ({ name }) => name },
			idColumn,
			{ head: t.discount, isFigure: true, cell: discountOf },
			{ head: t.duration, isWide: true, cell: durationOf },
			statusColumn,
			createdColumn,
		]}
		add={{
			label: t.newCoupon,
			scope: "COUPON:WRITE",
			dialog: (opening) => (
				<FormDialog
					{...opening}
					title={t.newCoupon}
					to={["POST", "/coupons"]}
					schema={CouponCreate}
					texts={t}
					initial={{ kind: "PERCENTAGE", "amountsOff.0.currency": "usd", frequency: "EACH_PERIOD" }}
					fields={[
						"name",
						{ name: "id", from: "name", prefix: "coupon" },
						[
							{ name: "kind", kind: "select", options: kinds },
							{ name: "percentOff", unit: "%", isRequired: true, when: ({ kind }) => kind === "PERCENTAGE" },
							{ name: "amountsOff.0.amount", label: t.amountOff, when: isFixed },
							{ name: "amountsOff.0.currency", when: isFixed },
							{ name: "freeUnits.0.quantity", label: t.freeQuantity, when: isFree },
							{ name: "freeUnits.0.featureId", label: t.freeFeature, when: isFree },
						],
						{ name: "frequency", when: isAmount },
						["durationInMonths", "durationInPeriods"],
						[
							{ name: "appliesTo.planIds", when: isAmount },
							{ name: "appliesTo.addonIds", when: isAmount },
						],
						[
							{ name: "appliesTo.featureIds", when: isAmount },
							{ name: "appliesTo.chargeKeys", when: isAmount },
						],
						"description",
					]}
					body={couponOf}
					onDone={({ name }: Coupon) => t.created({ name })}
				/>
			),
		}}
	/>
);

const kinds = [
	{ value: "PERCENTAGE", label: t.percentage },
	{ value: "FIXED", label: t.fixed },
	{ value: "FREE_UNITS", label: t.freeUnits },
];

const isFixed = ({ kind }: Entered): boolean => kind === "FIXED";
const isFree = ({ kind }: Entered): boolean => kind === "FREE_UNITS";
const isAmount = (entered: Entered): boolean => !isFree(entered);

/** The API requires each key. */
const couponOf = ({ kind, percentOff, amountsOff, freeUnits, appliesTo, frequency, ...coupon }: Entered) => ({
	...{ description: null, durationInMonths: null, metadata: null },
	...coupon,
	...(kind === "FREE_UNITS" ? { freeUnits } : { frequency, appliesTo: namedScope(appliesTo) }),
	percentOff: kind === "PERCENTAGE" ? percentOff : null,
	amountsOff: kind === "FIXED" ? amountsOff : null,
});

/** Leaves out the lists that are empty; null without any. */
function namedScope(appliesTo: unknown): Record<string, unknown> | null {
	const named = Object.entries(appliesTo ?? {}).filter(([, ids]) => Array.isArray(ids) && ids.length > 0);
	return named.length > 0 ? Object.fromEntries(named) : null;
}

const CouponPage = ({ id }: { readonly id: string }) => (
	<Loaded<Coupon> path={pathTo("/coupons", id)}>
		{(coupon) => (
			<Page
				title={coupon.name}
				badge={<Status of={coupon.status} />}
				text={coupon.description}
				parent={{ name: t.title, path: "/coupons" }}
				curl={pathTo("/coupons", id)}
				actions={coupon.status === "ACTIVE" && may("COUPON:WRITE") && <Actions coupon={coupon} />}
			>
				<Card>
					<Facts
						of={{
							[t.discount]: discountOf(coupon),
							[t.frequency]: t[coupon.frequency ?? "EACH_PERIOD"],
							[t.duration]: durationOf(coupon),
							[t.appliesTo]: coupon.appliesTo && scopeOf(coupon),
							[t.createdAt]: <When at={coupon.createdAt} />,
							[t.id]: <Id of={coupon.id} />,
						}}
						metadata={coupon.metadata}
					/>
				</Card>
				<ListCard<Customer>
					title={t.who}
					text={t.whoText}
					path="/customers"
					fixed={{ couponId: id }}
					href={(customer) => pathTo("/customers", customer.id)}
					empty={{ title: t.nobody, text: t.nobodyText }}
					columns={[{ head: t.customer, cell: ({ name, id: key }) => name ?? key }, idColumn, createdColumn]}
				/>
			</Page>
		)}
	</Loaded>
);

function Actions({ coupon }: { readonly coupon: Coupon }) {
	const path = pathTo("/coupons", coupon.id);
	return (
		<>
			<ConfirmButton {...confirmation(t, "archive", coupon)} isDanger perform={["POST", `${path}/archive`]} />
			<FormButton
				label={t.edit}
				to={["PATCH", path]}
				schema={CouponUpdate}
				texts={t}
				edited={coupon}
				fields={["name", "description"]}
				onDone={() => t.saved}
			/>
		</>
	);
}
