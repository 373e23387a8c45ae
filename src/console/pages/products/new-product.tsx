import { useLocation } from "wouter";
import { type Product, ProductCreate } from "../../../areas/products/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { CheckboxField, Form, TextField } from "../../kit/form";
import { IdField } from "../../kit/id-field";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/products";

export function NewProduct({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
	const [, navigate] = useLocation();
	return (
		<Dialog title={t.newProduct} isOpen={isOpen} onClose={onClose}>
			<Form
				schema={ProductCreate}
				action={t.create}
				submit={(body) => send("POST", "/products", body)}
				onCancel={onClose}
				onDone={({ data }: { data: Product }) => {
					toast(t.created({ name: data.displayName }));
					navigate(`/products/${encodeURIComponent(data.id)}`);
				}}
			>
				<TextField name="displayName" label={t.name} isRequired />
				<IdField of="displayName" prefix="product" hint={t.idHint} />
				<TextField name="description" label={t.description} />
				<CheckboxField name="multipleSubscriptions" label={t.multipleSubscriptions} />
			</Form>
		</Dialog>
	);
}
