package shell

import (
	"reflect"
	"testing"
	"unsafe"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// changed returns a copy of a struct with one field that is not what it was.
func changed[T any](t *testing.T, x T, i int) (T, string) {
	v := reflect.ValueOf(&x).Elem()
	name := v.Type().Field(i).Name
	f := reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
	switch f.Interface().(type) {
	case value.Word:
		f.Set(reflect.ValueOf(value.Known("other", tool.Span{})))
	case value.Data:
		f.Set(reflect.ValueOf(value.Data{Text: "other", Reach: tool.Exact}))
	case []value.Word:
		f.Set(reflect.ValueOf([]value.Word{value.Known("other", tool.Span{})}))
	case []string:
		f.Set(reflect.ValueOf([]string{"other"}))
	case []alias:
		f.Set(reflect.ValueOf([]alias{{name: "other"}}))
	case []command.Link:
		f.Set(reflect.ValueOf([]command.Link{{From: "/other"}}))
	case descriptors:
		var open descriptors
		open.open("9", value.Data{})
		f.Set(reflect.ValueOf(open))
	case []function:
		f.Set(reflect.ValueOf([]function{{name: "other"}}))
	case table[variable]:
		var vars table[variable]
		vars.put("other", variable{name: "other"}, firm|sure)
		f.Set(reflect.ValueOf(vars))
	case table[functions]:
		var funcs table[functions]
		funcs.put("other", functions{}, sure)
		f.Set(reflect.ValueOf(funcs))
	case files:
		var list files
		list.update("/other", func(*file) {})
		f.Set(reflect.ValueOf(list))
	case []tool.Effect:
		f.Set(reflect.ValueOf([]tool.Effect{{Target: "/other"}}))
	case *scope:
		f.Set(reflect.ValueOf((*scope)(nil).push("other", 0)))
	case *variable:
		f.Set(reflect.ValueOf(&variable{name: "other"}))
	case *syntax.Stmt:
		f.Set(reflect.ValueOf(&syntax.Stmt{}))
	case *source:
		f.Set(reflect.ValueOf(&source{}))
	default:
		switch f.Kind() {
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.String:
			f.SetString(f.String() + "other")
		case reflect.Int:
			f.SetInt(f.Int() + 1)
		case reflect.Uint8, reflect.Uint16:
			f.SetUint(f.Uint() + 1)
		default:
			t.Fatalf("%s: a field of a kind that this test does not know", name)
		}
	}
	return x, name
}

// TestSame: two states, variables, functions or files that differ in a field are not
// the same, whichever it is; and what they are joined to stands for both.
func TestSame(t *testing.T) {
	apart := map[string]bool{"world": true, "toil": true, "status": true, "hint": true, "frail": true, "turns": true, "running": true} // which are no part of it
	var s state
	for i := range reflect.TypeFor[state]().NumField() {
		if apart[reflect.TypeFor[state]().Field(i).Name] {
			continue
		}
		b, name := changed(t, s, i)
		if s.same(&b) || b.same(&s) {
			t.Errorf("states that differ in %s count as the same", name)
		}
		if s.place() != b.place() {
			continue
		}
		j, k := s.fork(), b.fork()
		j.join(&b)
		k.join(&s)
		if !s.leq(j) || !b.leq(j) || !s.leq(k) || !b.leq(k) {
			t.Errorf("states that differ in %s are joined to less than both", name)
		}
	}
	var v variable
	for i := range reflect.TypeFor[variable]().NumField() {
		if b, name := changed(t, v, i); sameVar(&v, &b) {
			t.Errorf("variables that differ in %s count as the same", name)
		}
	}
	var f file
	for i := range reflect.TypeFor[file]().NumField() {
		if b, name := changed(t, f, i); sameFile(&f, &b) {
			t.Errorf("files that differ in %s count as the same", name)
		}
	}
	var fs functions
	for i := range reflect.TypeFor[functions]().NumField() {
		if b, name := changed(t, fs, i); sameFuncs(&fs, &b) {
			t.Errorf("functions that differ in %s count as the same", name)
		}
	}
}

// TestSettle: a state that goes on is never joined with one that has left, and what
// either of two states knows stays possible.
func TestSettle(t *testing.T) {
	r := newReader(nil, nil)
	r.maxStates = 1
	var states []*state
	for i := range 6 {
		s := &state{}
		s.set("x", value.Known(string(rune('a'+i)), tool.Span{}))
		s.funcs.put("f", functions{[]function{{name: "f", body: &syntax.Stmt{}}}, true}, sure)
		if i%2 == 0 {
			s.jump = exits
		}
		if i == 1 {
			s.opts = optNoglob
			s.funcs.put("g", functions{[]function{{name: "g", body: &syntax.Stmt{}}}, true}, sure)
			s.fds.open("5", value.Data{Taint: value.FromNet})
		}
		states = append(states, s)
	}
	got := r.settle(states)
	if len(got) != 2 || got[0].jump == got[1].jump {
		t.Fatalf("%d states are left", len(got))
	}
	live := got[0]
	if live.jumped() {
		live = got[1]
	}
	if list, sure := live.calls("f"); len(list) != 3 || !sure {
		t.Errorf("f stands for %d functions, sure is %v", len(list), sure)
	}
	if list, sure := live.calls("g"); len(list) != 1 || sure {
		t.Errorf("g stands for %d functions, sure is %v", len(list), sure)
	}
	if live.doubt&optNoglob == 0 || live.fds.get("5") == nil {
		t.Error("an option or a descriptor of one state is lost")
	}
	if v := live.lookup("x"); v.words[0].IsKnown() {
		t.Errorf("x is %q", v.words[0].Text)
	}
}
