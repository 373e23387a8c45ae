export { commitMarks } from "./table.marks";
