import { Packages } from "../packages/list";

const Plans = () => <Packages kind="PLAN" />;
export default Plans;
