import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { InvoicePreview, SubscriptionPreviewed } from "../../../areas/subscriptions/preview/schema";
import { send } from "../../api";
import { formatDate, formatMoney, formatNumber } from "../../kit/format";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { Table } from "../../kit/table";
import { lineText } from "../../messages/shared/wordings";
import { t } from "../../messages/subscriptions";

/** Our choice: what a person types within so short a time is one question. */
const typingMs = 300;

interface PreviewProps {
	/** What the route takes; undefined: it is not complete yet. */
	readonly of: object | undefined;
	/** Another one is for what is not sold yet. */
	readonly path?: string | undefined;
	/** What it depends on besides: where this has changed, it is asked again at once. */
	readonly asOf?: unknown;
	/** What it says while it is not complete. */
	readonly first?: string;
}

/** What an order would cost, by the server's own preview. */
export function Preview({ of, path = "/subscriptions/preview", asOf, first = t.previewFirst }: PreviewProps) {
	const question = of && JSON.stringify([path, of]);
	const asked = useSettled(question);
	const state = JSON.stringify(asOf);
	// Not a query, which is read again after every change: once a draft is published there is none to ask about.
	const { data, error, isPending, mutate } = useMutation({
		mutationFn: async (text: string) => {
			const [where, body]: [string, object] = JSON.parse(text);
			return (await send<{ data: SubscriptionPreviewed }>("POST", where, body)).data;
		},
	});
	const [shown, show] = useState<SubscriptionPreviewed>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: in another state the same question has another answer; one that is going to be another is not asked any more.
	useEffect(() => {
		if (asked !== undefined && asked === question) mutate(asked);
	}, [asked, state, mutate]);
	useEffect(() => {
		if (data) show(data);
	}, [data]);
	return (
		<section className="preview" aria-label={t.preview} aria-live="polite" aria-busy={isPending}>
			<h3>{t.preview}</h3>
			{asked === undefined && <p className="quiet small">{first}</p>}
			{asked !== undefined && error && <Problem error={error} />}
			{asked !== undefined && !error && !shown && <Skeleton lines={3} />}
			{asked !== undefined && !error && shown && <Previewed of={shown} />}
		</section>
	);
}

function useSettled(text: string | undefined): string | undefined {
	const [settled, setSettled] = useState(text);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(text), typingMs);
		return () => clearTimeout(timer);
	}, [text]);
	return settled;
}

function Previewed({ of }: { readonly of: SubscriptionPreviewed }) {
	const { immediateInvoice, recurringInvoice, isPlanDowngrade } = of;
	return (
		<>
			{isPlanDowngrade && <p className="note">{t.isDowngrade}</p>}
			{immediateInvoice.lines.length === 0 ? (
				<p className="quiet">{recurringInvoice ? t.nothingNow : t.free}</p>
			) : (
				<Invoice name={t.now} of={immediateInvoice} />
			)}
			{recurringInvoice && recurringInvoice.lines.length > 0 && <Invoice name={t.later} of={recurringInvoice} />}
			<p className="quiet small">{t.previewText}</p>
		</>
	);
}

function Invoice({ name, of }: { readonly name: string; readonly of: InvoicePreview }) {
	const currency = of.currency ?? of.lines[0]?.currency ?? "usd";
	const money = (amount: number) => formatMoney({ amount, currency });
	const { billingPeriodRange: range } = of;
	const when = range ? ` · ${formatDate(range.start)} – ${formatDate(range.end)}` : "";
	return (
		<div className="previewed">
			<p className="small quiet">
				{name}
				{when}
			</p>
			<Table
				label={name}
				rows={of.lines.map((line, at) => ({ ...line, at }))}
				rowKey={({ at }) => String(at)}
				columns={[
					{ head: name, cell: ({ description }) => lineText(description) },
					{ head: "×", isFigure: true, cell: ({ quantity }) => formatNumber(quantity) },
					{ head: t.total, isFigure: true, cell: ({ subTotal }) => money(subTotal) },
				]}
			/>
			<dl className="sums">
				{of.discount !== 0 && <Sum name={t.discount} value={money(-of.discount)} />}
				{of.tax !== 0 && <Sum name={t.tax} value={money(of.tax)} />}
				<Sum name={t.total} value={money(of.total)} isStrong />
			</dl>
		</div>
	);
}

const Sum = ({ name, value, isStrong }: { name: string; value: string; isStrong?: boolean }) => (
	<div className={isStrong ? "strong" : ""}>
		<dt>{name}</dt>
		<dd className="figure">{value}</dd>
	</div>
);
