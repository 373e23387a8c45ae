import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Refusal } from "./api";
import type { CheckoutPreview } from "./api.portal";
import { addTexts, type Messages, type Words } from "./messages";
import * as portalMessages from "./messages.portal";
import { useWords } from "./parts";

addTexts({ en: portalMessages.en, de: portalMessages.de });

const countryCodes =
	"AD AE AR AT AU BE BG BR CA CH CL CN CO CR CY CZ DE DK EE EG ES FI FR GB GR HK HR HU ID IE IL IN IS IT JP KE KR LI LT LU LV MA MC MT MX MY NG NL NO NZ PE PH PL PT RO RS SA SE SG SI SK TH TR TW UA US UY VN ZA".split(
		" ",
	);

/** Country codes and names in the order of the reader's language. */
function countriesIn({ language }: Words): ReadonlyArray<readonly [string, string]> {
	const names = new Intl.DisplayNames([language], { type: "region" });
	return countryCodes
		.map((code) => [code, names.of(code) ?? code] as const)
		.sort(([, one], [, other]) => one.localeCompare(other, language));
}

export function Dialog({
	title,
	close,
	children,
}: {
	readonly title: string;
	readonly close: () => void;
	readonly children: ComponentChildren;
}) {
	const dialog = useRef<HTMLDialogElement>(null);
	const { say } = useWords();
	useEffect(() => dialog.current?.showModal(), []);
	return (
		<dialog ref={dialog} onClose={close} aria-labelledby="dialog-title" part="dialog">
			<div class="stack">
				<div class="row">
					<h2 id="dialog-title" class="name">
						{title}
					</h2>
					<button type="button" onClick={close}>
						{say("close")}
					</button>
				</div>
				{children}
			</div>
		</dialog>
	);
}

interface FieldProps {
	readonly name: string;
	readonly label: string;
	readonly value: string;
	readonly change: (value: string) => void;
	readonly error?: string | undefined;
	readonly complete?: string;
	readonly required?: boolean;
}

export const Field = ({ name, label, value, change, error, complete = "off", required = false }: FieldProps) => (
	<label>
		{label}
		<input
			type="text"
			name={name}
			value={value}
			required={required}
			maxLength={255}
			aria-invalid={error !== undefined}
			aria-describedby={`${name}-says`}
			autocomplete={complete}
			onInput={({ currentTarget }) => change(currentTarget.value)}
		/>
		<span id={`${name}-says`} class="bad" role={error ? "alert" : undefined}>
			{error}
		</span>
	</label>
);

/** The billing details as texts of the form. */
export interface Details {
	readonly name: string;
	readonly email: string;
	readonly country: string;
	readonly line1: string;
	readonly line2: string;
	readonly postalCode: string;
	readonly city: string;
	readonly state: string;
	readonly taxId: string;
}

interface Known {
	readonly name: string | null;
	readonly email: string | null;
	readonly address: Partial<Omit<Details, "name" | "email" | "taxId">> | null;
	readonly taxIds: ReadonlyArray<{ readonly type: string; readonly value: string }>;
}

export const detailsOf = ({ name, email, address, taxIds }: Known): Details => ({
	...{ name: name ?? "", email: email ?? "", taxId: taxIds[0]?.value ?? "" },
	...{ country: address?.country ?? "", line1: address?.line1 ?? "", line2: address?.line2 ?? "" },
	...{ postalCode: address?.postalCode ?? "", city: address?.city ?? "", state: address?.state ?? "" },
});

const addressParts = ["country", "line1", "line2", "postalCode", "city", "state"] as const;

/** Returns undefined if all fields are empty. */
export function addressIn(details: Details): Record<string, string> | undefined {
	const said = addressParts.flatMap((part) => (details[part].trim() ? [[part, details[part].trim()] as const] : []));
	return said.length > 0 ? Object.fromEntries(said) : undefined;
}

const european = new Set("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split(" "));

export const taxIdIn = ({ taxId, country }: Details) =>
	taxId.trim()
		? {
				type: european.has(country) ? "eu_vat" : country ? `${country.toLowerCase()}_vat` : "tax_id",
				value: taxId.trim(),
			}
		: undefined;

interface DetailsFieldsProps {
	readonly details: Details;
	readonly change: (details: Details) => void;
	readonly error: unknown;
	readonly isRequired?: boolean;
	readonly withTaxId?: boolean;
}

/** The fields of the billing details. An error about a field is shown at it. */
export function DetailsFields({ details, change, error, isRequired = false, withTaxId = true }: DetailsFieldsProps) {
	const words = useWords();
	const { say } = words;
	const refusal = error instanceof Refusal ? error : undefined;
	const about = (name: string): string | undefined => {
		if (!refusal) return undefined;
		if (name === "taxId") return refusal.code === "InvalidTaxId" ? refusal.message : undefined;
		return refusal.code === "BadUserInput" && refusal.message.includes(`/${name}`)
			? refusal.message
			: refusal.code === "InvalidAddressError" && refusal.message.includes(`'${name}'`)
				? refusal.message
				: undefined;
	};
	const field = (name: keyof Details & keyof Messages, complete: string, required = false) => (
		<Field
			{...{ name, complete, required }}
			label={say(name)}
			value={details[name]}
			error={about(name)}
			change={(value) => change({ ...details, [name]: value })}
		/>
	);
	return (
		<div class="grid">
			{field("name", "organization")}
			{field("email", "email")}
			<label>
				{say("country")}
				<select
					name="country"
					required={isRequired}
					autocomplete="country"
					value={details.country}
					onChange={({ currentTarget }) => change({ ...details, country: currentTarget.value })}
				>
					<option value="">{say("chooseCountry")}</option>
					{countriesIn(words).map(([code, name]) => (
						<option key={code} value={code}>
							{name}
						</option>
					))}
				</select>
				<span class="bad">{about("country")}</span>
			</label>
			{field("line1", "address-line1", isRequired)}
			{field("line2", "address-line2")}
			{field("postalCode", "postal-code")}
			{field("city", "address-level2", isRequired)}
			{field("state", "address-level1")}
			{withTaxId && field("taxId", "off")}
		</div>
	);
}

/** Whether an error is shown at a field. */
export const isAtField = (error: unknown): boolean =>
	error instanceof Refusal && (error.code === "InvalidTaxId" || error.code === "InvalidAddressError");

type Invoice = CheckoutPreview["immediateInvoice"];

/** The lines and sums of a future invoice. */
export function Sums({
	invoice,
	title,
	currency,
}: {
	readonly invoice: Invoice;
	readonly title: string;
	readonly currency: string;
}) {
	const { say, money } = useWords();
	const shown = (amount: number) => money(amount, invoice.currency ?? currency);
	return (
		<div class="stack">
			<h3>{title}</h3>
			<dl class="sums">
				{invoice.lines.map((line) => [<dt class="name">{line.description}</dt>, <dd>{shown(line.subTotal)}</dd>])}
				{invoice.discount !== 0 && [<dt>{say("discount")}</dt>, <dd>{shown(-invoice.discount)}</dd>]}
				{invoice.tax !== 0 && [<dt>{say("tax")}</dt>, <dd>{shown(invoice.tax)}</dd>]}
				<dt class="total">{say("total")}</dt>
				<dd class="total">{shown(invoice.total)}</dd>
			</dl>
		</div>
	);
}
