import type { Feature } from "../../../areas/features/schema";
import type { PackageEntitlement } from "../../../areas/packages/entitlements/schema";
import { send } from "../../api";
import { ConfirmButton } from "../../kit/dialog";
import { Form } from "../../kit/form";
import { useOne } from "../../kit/list";
import { Skeleton } from "../../kit/page";
import { Problem } from "../../kit/problem";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/packages";
import { GrantFields, grantOf } from "./grant-fields";
import { type OfPackage, pathOf } from "./kinds";

interface EditEntitlementProps extends OfPackage {
	readonly entitlement: PackageEntitlement;
	readonly name: string;
	readonly onClose: () => void;
}

/** In a draft: how much is granted, or that it is not any more. */
export function EditEntitlement({ kind, of, entitlement, name, onClose }: EditEntitlementProps) {
	const path = `${pathOf(kind, of.id)}/entitlements/${encodeURIComponent(entitlement.id)}`;
	const isFeature = entitlement.type === "FEATURE";
	const { data: feature, error } = useOne<Feature>(
		isFeature ? `/features/${encodeURIComponent(entitlement.id)}` : undefined,
	);
	if (error) return <Problem error={error} />;
	if (isFeature && !feature) return <Skeleton lines={3} />;
	return (
		<>
			<Form
				initial={entitlement as unknown as Record<string, unknown>}
				action={t.save}
				submit={(body) => send("PATCH", path, grantOf(body, feature))}
				onCancel={onClose}
				onDone={() => {
					onClose();
					toast(t.saved);
				}}
			>
				<GrantFields feature={feature} />
			</Form>
			<div>
				<ConfirmButton
					label={t.remove}
					title={t.removeTitle({ name })}
					says={t.removeSays}
					isDanger
					perform={() => send("DELETE", path)}
					onDone={onClose}
				/>
			</div>
		</>
	);
}
