import { type CreditNote, InvoiceCredit } from "../../../areas/invoices/credit-notes/schema";
import { formatMoney } from "../../kit/format";
import { FormButton } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { useForm } from "../../kit/forms/form-state";
import { CheckList } from "../../kit/forms/list-fields";
import { t } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import { amountIn, type InvoiceProps, pathOf } from "./amounts";

const parts = [
	["amount", t.creditAmount],
	["lines", t.creditLines],
	["whole", t.creditWhole],
] as const;

/** Credits an invoice or a part of it with a credit note. */
export const CreditButton = ({ invoice }: InvoiceProps) => (
	<FormButton
		label={t.creditPart}
		title={t.creditTitle({ number: invoice.invoiceNumber ?? "" })}
		kind="drawer"
		to={["POST", `${pathOf(invoice)}/credit-note`]}
		schema={InvoiceCredit}
		texts={t}
		initial={{ reasonCode: "WAIVER", part: "amount" }}
		action={t.issueNote}
		body={({ part, amount, lines, reasonCode }) => ({
			reasonCode,
			...(part === "amount" && { amount }),
			...(part === "lines" && { lines: lines ?? [] }),
		})}
		onDone={({ creditNoteNumber: number }: CreditNote) => t.noteIssued({ number })}
	>
		<p className="quiet">{t.creditText}</p>
		<PartFields invoice={invoice} />
		<Input name="reasonCode" label={t.creditReason} />
	</FormButton>
);

function PartFields({ invoice }: InvoiceProps) {
	const { entered, set } = useForm();
	const { part } = entered;
	const lines = (entered.lines ?? []) as readonly { line: number }[];
	return (
		<>
			<fieldset className="options">
				<legend>{t.what}</legend>
				{parts.map(([value, label]) => (
					<label key={value} className="with-unit">
						<input type="radio" name="part" checked={part === value} onChange={() => set("part", value)} /> {label}
					</label>
				))}
			</fieldset>
			{part === "amount" && <Input name="amount" unit={(invoice.currency ?? "").toUpperCase()} isRequired />}
			{part === "lines" && (
				<CheckList
					name="lines"
					legend={t.lines}
					options={invoice.lineItems.map((item, at) => ({
						value: at + 1,
						label: `${lineText(item.description ?? t.line)} ${formatMoney(amountIn(invoice, item.amount))}`,
					}))}
					chosen={lines.map(({ line }) => line)}
					onChange={(chosen) =>
						set(
							"lines",
							chosen.map((line) => ({ line })),
						)
					}
				/>
			)}
		</>
	);
}
