import { useLocation } from "wouter";
import type { Feature } from "../../../areas/features/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { type Entered, Form, SelectField, TextField, useForm } from "../../kit/form";
import { IdField } from "../../kit/id-field";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/features";
import { featureTypes, meterTypes, optionsOf, valuesOf } from "./kinds";

export function NewFeature({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
	const [, navigate] = useLocation();
	return (
		<Dialog title={t.newFeature} isOpen={isOpen} onClose={onClose}>
			<Form
				initial={{ featureType: "BOOLEAN", meterType: "None" }}
				action={t.create}
				submit={(body) => send("POST", "/features", featureOf(body))}
				onCancel={onClose}
				onDone={({ data }: { data: Feature }) => {
					toast(t.created({ name: data.displayName }));
					navigate(`/features/${encodeURIComponent(data.id)}`);
				}}
			>
				<FeatureFields />
			</Form>
		</Dialog>
	);
}

/** What belongs to another kind is not sent. */
function featureOf({ meterType, featureUnits, featureUnitsPlural, values, ...body }: Entered) {
	if (body.featureType === "NUMBER") return { ...body, meterType, featureUnits, featureUnitsPlural };
	return body.featureType === "ENUM" ? { ...body, enumConfiguration: valuesOf(values) } : body;
}

function FeatureFields() {
	const { entered } = useForm();
	return (
		<>
			<TextField name="displayName" label={t.name} isRequired />
			<IdField of="displayName" prefix="feature" hint={t.idHint} />
			<SelectField name="featureType" label={t.type} options={optionsOf(featureTypes)} />
			{entered.featureType === "NUMBER" && (
				<>
					<SelectField name="meterType" label={t.usage} options={optionsOf(meterTypes)} />
					<div className="columns">
						<TextField name="featureUnits" label={t.units} hint={t.unitHint} />
						<TextField name="featureUnitsPlural" label={t.unitsPlural} />
					</div>
				</>
			)}
			{entered.featureType === "ENUM" && (
				<TextField name="values" label={t.values} hint={t.valuesHint} isLong isRequired />
			)}
			<TextField name="description" label={t.description} />
		</>
	);
}
