import type { Coupon } from "../../../areas/coupons/schema";
import { send } from "../../api";
import { currencyOptions } from "../../kit/currencies";
import { Dialog } from "../../kit/dialog";
import { type Entered, Form, NumberField, SelectField, TextField, useForm } from "../../kit/form";
import { IdField } from "../../kit/id-field";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/coupons";

export const NewCoupon = ({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) => (
	<Dialog title={t.newCoupon} isOpen={isOpen} onClose={onClose}>
		<Form
			initial={{ kind: "PERCENTAGE", currency: "usd" }}
			action={t.create}
			submit={(body) => send("POST", "/coupons", couponOf(body))}
			onCancel={onClose}
			onDone={({ data }: { data: Coupon }) => {
				onClose();
				toast(t.created({ name: data.name }));
			}}
		>
			<CouponFields />
		</Form>
	</Dialog>
);

/** The API wants each key. */
const couponOf = ({ id, name, description, kind, percentOff, amount, currency, durationInMonths }: Entered) => ({
	id,
	name,
	description: description ?? null,
	percentOff: kind === "PERCENTAGE" ? (percentOff ?? null) : null,
	amountsOff: kind === "FIXED" ? [{ amount, currency }] : null,
	durationInMonths: durationInMonths ?? null,
	metadata: null,
});

function CouponFields() {
	const { entered } = useForm();
	return (
		<>
			<TextField name="name" label={t.name} isRequired />
			<IdField of="name" prefix="coupon" hint={t.idHint} />
			<div className="columns">
				<SelectField
					name="kind"
					label={t.kind}
					options={[
						{ value: "PERCENTAGE", label: t.percentage },
						{ value: "FIXED", label: t.fixed },
					]}
				/>
				{entered.kind === "PERCENTAGE" ? (
					<NumberField name="percentOff" label={t.percentOff} unit="%" isRequired />
				) : (
					<>
						<NumberField name="amount" label={t.amountOff} isRequired />
						<SelectField name="currency" label={t.currency} options={currencyOptions} />
					</>
				)}
			</div>
			<NumberField name="durationInMonths" label={t.durationInMonths} hint={t.durationHint} step={1} />
			<TextField name="description" label={t.description} />
		</>
	);
}
