import type { InvoiceInBooks } from "../../../areas/invoices/lists/schema";
import { pathTo } from "../../api";
import { type Amount, formatMoney } from "../../kit/format";
import { t } from "../../messages/invoices";

export interface InvoiceProps {
	readonly invoice: InvoiceInBooks;
}

/** The path of an invoice below its customer, for operations. */
export const pathOf = ({ customerExternalId, invoiceId }: InvoiceInBooks): string =>
	pathTo("/customers", customerExternalId ?? "", "invoices", invoiceId);

/** Returns an amount in the currency of the invoice. */
export const amountIn = ({ currency }: Pick<InvoiceInBooks, "currency">, amount: number | null): Amount | null =>
	amount === null ? null : { amount, currency: currency ?? "usd" };

export interface Sum {
	readonly name: string;
	readonly amount: Amount | null;
	readonly isStrong?: boolean;
	/** Opens the explanation of the amount. */
	readonly onExplain?: (() => void) | undefined;
}

/** Amounts below each other, such as subtotal, tax and total. */
export const Sums = ({ of, isWhole }: { readonly of: readonly Sum[]; readonly isWhole?: boolean }) => (
	<dl className={isWhole ? "sums whole" : "sums"}>
		{of.map(({ name, isStrong, ...figure }, at) => (
			// biome-ignore lint/suspicious/noArrayIndexKey: lines can have the same name.
			<div key={at} className={isStrong ? "strong" : ""}>
				<dt>{name}</dt>
				<dd className="figure">
					<Figure {...figure} name={name} />
				</dd>
			</div>
		))}
	</dl>
);

/** An amount. It opens its explanation, if it has one. */
export const Figure = ({ name, amount, onExplain }: Omit<Sum, "isStrong">) =>
	onExplain ? (
		<button
			type="button"
			className="link explained figure"
			aria-label={`${formatMoney(amount)}. ${t.explainFigure({ figure: name })}`}
			onClick={onExplain}
		>
			{formatMoney(amount)}
		</button>
	) : (
		formatMoney(amount)
	);
