import type { Charge, Phases } from "../../../areas/packages/charges/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { CopyAsCurl } from "../../kit/copy";
import { formatNumber } from "../../kit/format";
import { useOne } from "../../kit/list";
import { Card, Empty, Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { t } from "../../messages/packages";
import { t as phases } from "../../messages/prices/phases";
import { may } from "../../session";
import { PriceEditor } from "../prices/editor";
import { Estimate, mayEstimate } from "../prices/estimate";
import { currencyOf, modelsOf } from "../prices/model";
import { editedOverageOf, overageModelOf } from "../prices/overage";
import { type OfPackage, type Package, useFeatures, versionPath } from "./kinds";
import { billedText, chargedFor, priceText, tierText } from "./price-text";

const shownMax = 100;

const none: readonly Charge[] = [];

/** The prices of a version, and those of usage beyond its limits. */
export function Charges(props: OfPackage) {
	const path = versionPath(props, "charges", shownMax);
	const { data: charges, error } = useOne<readonly Charge[]>(path);
	const overagePath = props.kind === "PLAN" ? versionPath(props, "overage-charges", shownMax) : undefined;
	const { data: listed } = useOne<readonly Charge[]>(overagePath);
	const overage = props.kind === "PLAN" ? listed : none;
	const { data: entitlements } = useOne<readonly PackageEntitlement[]>(versionPath(props, "entitlements"));
	const isOpen = props.of.status === "DRAFT" && may("CATALOG:WRITE");
	const actions = (
		<>
			<CopyAsCurl path={path} />
			{isOpen && charges && overage && entitlements && (
				<PriceEditor {...props} charges={charges} overage={overage} entitlements={entitlements} />
			)}
		</>
	);
	return (
		<>
			<Card isFlush title={t.charges} text={t.chargesText} actions={actions}>
				<Problem error={error} />
				{!charges && !error && <Skeleton lines={3} />}
				{charges?.length === 0 && <Empty title={t.noCharges} text={noChargesText(props.of)} />}
				{charges && charges.length > 0 && <ChargeTable label={t.charges} charges={charges} />}
			</Card>
			{"phases" in props.of && props.of.phases && (
				<Card isFlush title={phases.phases} text={phases.phasesText}>
					<Table
						label={phases.phases}
						rows={props.of.phases}
						rowKey={({ id }) => id}
						columns={[
							{ head: phases.phase, cell: phaseText },
							{ head: phases.phaseLength, cell: ({ duration }) => durationText(duration) },
							{ head: phases.prices, cell: phasePrices },
						]}
					/>
				</Card>
			)}
			{overage && overage.length > 0 && (
				<Card isFlush title={t.overage} text={t.overageText} actions={overagePath && <CopyAsCurl path={overagePath} />}>
					<ChargeTable label={t.overage} charges={overage} />
				</Card>
			)}
			{charges && charges.length > 0 && overage && entitlements && isForSale(props.of) && mayEstimate() && (
				<Card title={t.tryIt} text={t.tryItText}>
					<Estimate
						{...props}
						models={modelsOf(charges)}
						overage={(editedOverageOf(overage, entitlements) ?? []).map((one) =>
							overageModelOf(one, currencyOf(overage)),
						)}
					/>
				</Card>
			)}
		</>
	);
}

const phaseText = ({ id, displayName = id }: Phases[number]): string => displayName;

/** Returns the percentage off, or the prices of a phase. */
export const phasePrices = ({ percentOff, charges }: Phases[number]): string =>
	percentOff === undefined
		? (charges?.pricingModels ?? [])
				.flatMap(({ pricePeriods, ...model }) =>
					pricePeriods.map((period) => priceText({ ...model, ...period } as unknown as Charge)),
				)
				.join(", ")
		: `−${formatNumber(percentOff)} %`;

export const durationText = ({ count, unit }: Phases[number]["duration"]): string =>
	`${formatNumber(count)} ${phases[unit]}`;

const noChargesText = ({ pricingType, status }: Package): string => {
	if (pricingType === "FREE") return t.noChargesFree;
	return status === "DRAFT" ? t.noChargesDraft : t.noChargesPaid;
};

/** On sale now, or once it is published. */
const isForSale = ({ status, isLatest }: Package): boolean =>
	status === "DRAFT" || (status === "PUBLISHED" && isLatest !== false);

/** Shows charges in the order in which they were set; the API lists the newest first. */
function ChargeTable({ label, charges }: { readonly label: string; readonly charges: readonly Charge[] }) {
	const { nameOf } = useFeatures();
	return (
		<Table
			label={label}
			rows={charges.toReversed()}
			rowKey={({ id }) => id}
			columns={[
				{ head: t.priceOf, cell: (charge) => <span className="strong">{chargedFor(charge, nameOf)}</span> },
				{ head: t.model, isWide: true, cell: (charge) => <Model of={charge} /> },
				{ head: t.billed, cell: billedText },
				{ head: t.price, isFigure: true, cell: (charge) => <Price of={charge} /> },
			]}
		/>
	);
}

function Model({
	of: { billingModel, tiersMode, minUnitQuantity: min, maxUnitQuantity: max },
}: {
	readonly of: Charge;
}) {
	const bounds = [
		min ? t.atLeast({ min: formatNumber(min) }) : "",
		max ? t.atMost({ max: formatNumber(max) }) : "",
	].filter(Boolean);
	return (
		<>
			{[t[billingModel], ...bounds].join(", ")}
			{tiersMode && <p className="quiet small">{t[tiersMode]}</p>}
		</>
	);
}

const Price = ({ of: charge }: { readonly of: Charge }) =>
	charge.tiers ? (
		<ul>
			{charge.tiers.map((tier) => (
				<li key={tier.upTo ?? "beyond"}>{tierText(tier)}</li>
			))}
		</ul>
	) : (
		priceText(charge)
	);
