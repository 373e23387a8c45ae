import { send } from "../../api";
import { Field, Form, useForm } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/packages";
import { GrantFields, grantOf } from "./grant-fields";
import { type OfPackage, pathOf } from "./kinds";
import { useFeatures } from "./names";

interface NewEntitlementProps extends OfPackage {
	/** What it grants already. */
	readonly taken: readonly string[];
	readonly onClose: () => void;
}

export function NewEntitlement({ kind, of, taken, onClose }: NewEntitlementProps) {
	const { features, nameOf } = useFeatures();
	return (
		<Form
			initial={{ cadence: "MONTH" }}
			action={t.create}
			submit={async (body) => {
				const id = String(body.id ?? "");
				const grant = grantOf(
					body,
					features.find((one) => one.id === id),
				);
				await send("POST", `${pathOf(kind, of.id)}/entitlements`, { entitlements: [{ id, ...grant }] });
				return id;
			}}
			onCancel={onClose}
			onDone={(id: string) => {
				onClose();
				toast(t.entitlementAdded({ name: nameOf(id) }));
			}}
		>
			<What taken={taken} />
		</Form>
	);
}

function What({ taken }: Pick<NewEntitlementProps, "taken">) {
	const { entered, set } = useForm();
	const { features, currencies } = useFeatures();
	const isFree = ({ id }: { readonly id: string }) => !taken.includes(id);
	return (
		<>
			<Field name="id" label={t.what}>
				{(control) => (
					<select
						{...control}
						required
						value={String(entered.id ?? "")}
						onChange={({ target }) => set("id", target.value)}
					>
						<option value="">{t.choose}</option>
						<optgroup label={t.feature}>
							{features
								.filter((one) => isFree(one) && one.featureStatus !== "SUSPENDED")
								.map(({ id, displayName }) => (
									<option key={id} value={id}>
										{displayName}
									</option>
								))}
						</optgroup>
						<optgroup label={t.credits}>
							{currencies.filter(isFree).map(({ id, displayName }) => (
								<option key={id} value={id}>
									{displayName}
								</option>
							))}
						</optgroup>
					</select>
				)}
			</Field>
			{Boolean(entered.id) && <GrantFields feature={features.find(({ id }) => id === entered.id)} />}
		</>
	);
}
