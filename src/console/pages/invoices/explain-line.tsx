import type { LineExplanation } from "../../../areas/invoices/explain/schema";
import { formatDateTime, formatMoney, formatNumber, formatPercent } from "../../kit/format";
import { Facts } from "../../kit/page";
import { Table } from "../../kit/table";
import { t } from "../../messages/invoices";

interface LineProps {
	readonly line: LineExplanation;
}

/** The calculation of a line: its steps, price, usage and share of the period. */
export const LineStory = ({ line }: LineProps) => (
	<>
		<Steps line={line} />
		{line.usage && <UsageFacts usage={line.usage} />}
		<PriceFacts line={line} />
		{line.price && line.price.tiers.length > 0 && <Tiers tiers={line.price.tiers} line={line} />}
	</>
);

function Steps({ line: { steps, currency } }: LineProps) {
	if (steps.length === 0) return <p className="quiet">{t.notExplained}</p>;
	return (
		<section>
			<h3>{t.steps}</h3>
			<ol className="steps">
				{steps.map(({ of: name, text, arithmetic, value }) => (
					<li key={name} className={name === "total" ? "strong" : ""}>
						<p>{text}</p>
						<code>{arithmetic}</code>
						<span className="figure">{formatMoney({ amount: value, currency })}</span>
					</li>
				))}
			</ol>
		</section>
	);
}

const UsageFacts = ({ usage }: { readonly usage: NonNullable<LineExplanation["usage"]> }) => (
	<section className="story">
		<h3>{t.usage}</h3>
		<Facts
			of={{
				[t.used]: `${formatNumber(usage.used)}${usage.featureId ? ` · ${usage.featureId}` : ""}`,
				[t.included]: usage.included === null ? "–" : formatNumber(usage.included),
				[t.billedBefore]: formatNumber(usage.billedBefore),
			}}
		/>
	</section>
);

function PriceFacts({ line }: LineProps) {
	const { price, currency, contractItem, proration, taxPercentage } = line;
	return (
		<section className="story">
			<h3>{t.price}</h3>
			<Facts
				of={{
					[t.price]: price?.packageId && t.priceOf({ package: price.packageId, version: formatNumber(price.version) }),
					[t.model]: contractItem?.pricingModel ?? (price?.packageId && price.billingModel),
					[t.unitPrice]: price?.price != null && formatMoney({ amount: price.price, currency }),
					[t.period]: `${formatDateTime(line.periodStart)} – ${formatDateTime(line.periodEnd)}`,
					[t.proration]: proration && formatPercent(proration.fraction),
					[t.tax]: taxPercentage !== null && formatPercent(taxPercentage / 100),
					[t.discount]: line.discountLabel,
				}}
			/>
		</section>
	);
}

type Tier = NonNullable<LineExplanation["price"]>["tiers"][number];

const Tiers = ({ tiers, line: { currency } }: LineProps & { readonly tiers: readonly Tier[] }) => (
	<section className="story">
		<h3>{t.tiers}</h3>
		<Table
			label={t.tiers}
			rows={tiers}
			rowKey={({ upTo }) => String(upTo)}
			columns={[
				{ head: t.upTo, cell: ({ upTo }) => (upTo === null ? t.unlimited : formatNumber(upTo)) },
				{
					head: t.each,
					isFigure: true,
					cell: ({ unitPrice }) => formatMoney(unitPrice === null ? null : { amount: unitPrice, currency }),
				},
				{
					head: t.flat,
					isFigure: true,
					cell: ({ flatPrice }) => formatMoney(flatPrice === null ? null : { amount: flatPrice, currency }),
				},
			]}
		/>
	</section>
);
