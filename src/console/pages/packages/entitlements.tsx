import type { Feature } from "../../../areas/features/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { pathTo, send } from "../../api";
import { ConfirmButton, confirmation } from "../../kit/dialog";
import { Form } from "../../kit/forms/form";
import { FormButton } from "../../kit/forms/form-dialog";
import { Input } from "../../kit/forms/form-fields";
import { useForm } from "../../kit/forms/form-state";
import { ListCard } from "../../kit/list-card";
import { Loaded } from "../../kit/page";
import { toast } from "../../kit/toasts";
import { Badge, Badges, namedOptions, To } from "../../kit/values";
import { t } from "../../messages/packages";
import { may } from "../../session";
import { GrantFields, grantOf } from "./grant-fields";
import { type OfPackage, pathOf, useFeatures, versionPath } from "./kinds";
import { grantText, notesOf, resetText } from "./price-text";

/** The entitlements of a version. Those of a draft can be edited. */
export function Entitlements(props: OfPackage) {
	const { of } = props;
	const { nameOf } = useFeatures();
	const isOpen = of.status === "DRAFT" && may("CATALOG:WRITE");
	const name = (one: PackageEntitlement) => one.displayNameOverride ?? nameOf(one.id);
	return (
		<ListCard<PackageEntitlement>
			title={t.entitlements}
			text={t.entitlementsText}
			path={`${pathOf(props.kind, of.id)}/entitlements`}
			fixed={{ version: of.versionNumber }}
			limit={null}
			isFirstPage
			hasCurl
			actions={isOpen && <AddButton {...props} />}
			empty={{ title: t.noEntitlements, text: t.noEntitlementsText }}
			{...(isOpen && {
				details: {
					kind: "dialog",
					title: (one) => t.changeEntitlement({ name: name(one) }),
					show: (one, close) => <EditEntitlement {...props} entitlement={one} name={name(one)} onClose={close} />,
				},
			})}
			columns={[
				{
					head: t.what,
					cell: (one) =>
						one.type === "FEATURE" && !isOpen ? (
							<To list="/features" id={one.id}>
								{name(one)}
							</To>
						) : (
							name(one)
						),
				},
				{ head: t.howMuch, cell: grantText },
				{ head: t.resets, isWide: true, cell: resetText },
				{
					head: t.notes,
					isWide: true,
					cell: (one) => (
						<Badges>
							{notesOf(one).map((note) => (
								<Badge key={note}>{note}</Badge>
							))}
						</Badges>
					),
				},
			]}
		/>
	);
}

function AddButton(props: OfPackage) {
	const { features, nameOf } = useFeatures();
	return (
		<FormButton
			label={t.addEntitlement}
			to={async (body) => {
				const id = String(body.id ?? "");
				const feature = features.find((one) => one.id === id);
				const entitlements = [{ id, ...grantOf(body, feature) }];
				await send("POST", `${pathOf(props.kind, props.of.id)}/entitlements`, { entitlements });
				return id;
			}}
			texts={t}
			initial={{ cadence: "MONTH" }}
			onDone={(id: string) => t.entitlementAdded({ name: nameOf(id) })}
		>
			<NewGrant {...props} />
		</FormButton>
	);
}

function NewGrant(props: OfPackage) {
	const { entered } = useForm();
	const { features, currencies } = useFeatures();
	const granted = ({ id }: { readonly id: string }, rows: readonly PackageEntitlement[]) =>
		rows.some((one) => one.id === id);
	return (
		<Loaded<readonly PackageEntitlement[]> path={versionPath(props, "entitlements")}>
			{(rows) => (
				<>
					<Input
						name="id"
						kind="select"
						label={t.what}
						hint=""
						isRequired
						none={t.choose}
						options={[
							{
								name: t.feature,
								options: namedOptions(
									features.filter((one) => !granted(one, rows) && one.featureStatus !== "SUSPENDED"),
								),
							},
							{ name: t.credits, options: namedOptions(currencies.filter((one) => !granted(one, rows))) },
						]}
					/>
					{Boolean(entered.id) && <GrantFields feature={features.find(({ id }) => id === entered.id)} />}
				</>
			)}
		</Loaded>
	);
}

interface EditEntitlementProps extends OfPackage {
	readonly entitlement: PackageEntitlement;
	readonly name: string;
	readonly onClose: () => void;
}

function EditEntitlement({ entitlement, ...props }: EditEntitlementProps) {
	if (entitlement.type !== "FEATURE") return <EditForm {...props} entitlement={entitlement} feature={undefined} />;
	return (
		<Loaded<Feature> path={pathTo("/features", entitlement.id)} lines={3}>
			{(feature) => <EditForm {...props} entitlement={entitlement} feature={feature} />}
		</Loaded>
	);
}

interface EditFormProps extends EditEntitlementProps {
	readonly feature: Feature | undefined;
}

function EditForm({ kind, of, entitlement, feature, name, onClose }: EditFormProps) {
	const path = pathTo(`${pathOf(kind, of.id)}/entitlements`, entitlement.id);
	return (
		<>
			<Form
				to={["PATCH", path]}
				texts={t}
				initial={{ ...entitlement }}
				action={t.save}
				body={(body) => grantOf(body, feature)}
				onCancel={onClose}
				onDone={() => {
					onClose();
					toast(t.saved);
				}}
			>
				<GrantFields feature={feature} />
			</Form>
			<div>
				<ConfirmButton {...confirmation(t, "remove", { name })} isDanger perform={["DELETE", path]} onDone={onClose} />
			</div>
		</>
	);
}
