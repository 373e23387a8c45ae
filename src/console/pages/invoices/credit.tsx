import { useState } from "react";
import { type CreditNote, InvoiceCredit, reasonsByCall } from "../../../areas/invoices/credit-notes/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, NumberField, SelectField, useForm } from "../../kit/form";
import { formatMoney } from "../../kit/format";
import { toast } from "../../kit/toasts";
import { t, wordFor } from "../../messages/invoices";
import { lineText } from "../../messages/shared/wordings";
import { type InvoiceProps, pathOf } from "./of";
import { of } from "./table";

type Part = "whole" | "amount" | "lines";

/** Takes back an invoice or a part of it, by a credit note. */
export function CreditButton({ invoice }: InvoiceProps) {
	const [isOpen, setOpen] = useState(false);
	const [part, setPart] = useState<Part>("amount");
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.creditPart}
			</button>
			<Dialog
				title={t.creditTitle({ number: invoice.invoiceNumber ?? "" })}
				kind="drawer"
				isOpen={isOpen}
				onClose={close}
			>
				<p className="quiet">{t.creditText}</p>
				<Form
					schema={InvoiceCredit}
					action={t.issueNote}
					initial={{ reasonCode: "WAIVER" }}
					submit={({ reasonCode, amount, lines }) =>
						send("POST", `${pathOf(invoice)}/credit-note`, {
							reasonCode,
							...(part === "amount" && { amount }),
							...(part === "lines" && { lines: lines ?? [] }),
						})
					}
					onCancel={close}
					onDone={({ data }: { data: CreditNote }) => {
						close();
						toast(t.noteIssued({ number: data.creditNoteNumber }));
					}}
				>
					<fieldset className="options">
						<legend>{t.what}</legend>
						{(
							[
								["amount", t.creditAmount],
								["lines", t.creditLines],
								["whole", t.creditWhole],
							] as const
						).map(([value, label]) => (
							<label key={value} className="with-unit">
								<input type="radio" name="part" checked={part === value} onChange={() => setPart(value)} /> {label}
							</label>
						))}
					</fieldset>
					{part === "amount" && (
						<NumberField
							name="amount"
							label={t.amount}
							unit={(invoice.currency ?? "").toUpperCase()}
							step="any"
							isRequired
						/>
					)}
					{part === "lines" && <Lines invoice={invoice} />}
					<SelectField
						name="reasonCode"
						label={t.creditReason}
						options={reasonsByCall.map((value) => ({ value, label: wordFor(value) }))}
					/>
				</Form>
			</Dialog>
		</>
	);
}

/** Which lines are credited, each as a whole. */
function Lines({ invoice }: InvoiceProps) {
	const { entered, set } = useForm();
	const chosen = (entered.lines ?? []) as readonly { line: number }[];
	return (
		<fieldset className="options">
			<legend>{t.lines}</legend>
			{invoice.lineItems.map((item, at) => {
				const line = at + 1;
				const isChosen = chosen.some((one) => one.line === line);
				return (
					<label key={line} className="with-unit">
						<input
							type="checkbox"
							checked={isChosen}
							onChange={() =>
								set("lines", isChosen ? chosen.filter((one) => one.line !== line) : [...chosen, { line }])
							}
						/>
						{lineText(item.description ?? t.line)}{" "}
						<span className="quiet figure">{formatMoney(of(invoice, item.amount))}</span>
					</label>
				);
			})}
		</fieldset>
	);
}
