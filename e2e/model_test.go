//go:build linux

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// model is a scripted language model behind the four interfaces that the
// clients speak. It makes its tool calls one after another and then says
// "done". It keeps no count: how many results a request contains tells which call
// comes next, so a request that is sent twice does no harm.
type model struct {
	calls  []toolCall
	helper []toolCall   // those of a subagent, which is started with helperMark
	served http.Handler // what lies below /served/
	marks  map[string]*regexp.Regexp

	helped context.Context // ends when the subagent has made its calls
	finish func()

	mu       sync.Mutex
	requests []string // bodies, as they came
}

// canaryMark stands for the command that doctor has asked for.
const canaryMark = "@CANARY@"

// helperMark stands in the task of a subagent.
const helperMark = "HELPER-TASK"

// toolCall is one use of a tool.
type toolCall struct {
	Tool string
	Args map[string]any
}

type fields = map[string]any

// serve listens on loopback and returns the address.
func (m *model) serve() (string, error) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = http.Serve(ln, m) }()
	return ln.Addr().String(), nil
}

func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/served/") {
		m.served.ServeHTTP(w, r)
		return
	}
	raw, _ := io.ReadAll(r.Body)
	m.mu.Lock()
	m.requests = append(m.requests, r.URL.Path+" "+string(raw))
	id := len(m.requests)
	m.mu.Unlock()

	var body fields
	_ = json.Unmarshal(raw, &body)
	m.put(string(raw))
	path := r.URL.Path
	stream, _ := body["stream"].(bool)
	switch {
	case r.Method == http.MethodHead:
	case strings.HasSuffix(path, "/messages"):
		send(w, stream, m.anthropic(body, id))
	case strings.HasSuffix(path, "/responses"):
		send(w, stream, m.responses(body, id))
	case strings.HasSuffix(path, "/chat/completions"):
		send(w, stream, m.chat(body, id))
	case strings.HasSuffix(strings.ToLower(path), "generatecontent"):
		send(w, strings.Contains(path, "stream"), m.gemini(body, id))
	case strings.HasSuffix(path, "/models"):
		reply(w, fields{"object": "list", "data": []any{fields{"id": "stub", "object": "model"}}, "models": []any{}})
	case strings.HasSuffix(strings.ToLower(path), "tokens"):
		reply(w, fields{"input_tokens": 1, "totalTokens": 1})
	default:
		w.WriteHeader(http.StatusNotFound)
		reply(w, fields{"error": fields{"type": "not_found_error", "message": "the stub has no such page"}})
	}
}

// marks are words that stand for what the client tells the model.
func marks(more map[string]string) map[string]*regexp.Regexp {
	all := map[string]*regexp.Regexp{canaryMark: regexp.MustCompile("longline-canary-[0-9a-f]+(?: 2>longline-ran)?")}
	for mark, expression := range more {
		all[mark] = regexp.MustCompile(expression)
	}
	return all
}

// put replaces in the calls the marks whose values a request tells.
func (m *model) put(request string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for mark, expression := range m.marks {
		found := expression.FindStringSubmatch(request)
		if found == nil {
			continue
		}
		value := found[len(found)-1]
		for _, call := range m.calls {
			for name, arg := range call.Args {
				switch arg := arg.(type) {
				case string:
					call.Args[name] = strings.ReplaceAll(arg, mark, value)
				case []any:
					for i := range arg {
						if arg[i] == mark {
							arg[i] = value
						}
					}
				}
			}
		}
	}
}

// event is one piece of a streamed answer.
type event struct {
	name string
	data any
}

// answer is a whole one and the same in pieces.
type answer struct {
	whole  any
	events []event
	end    string
}

func send(w http.ResponseWriter, stream bool, a answer) {
	if !stream {
		reply(w, a.whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, e := range a.events {
		if e.name != "" {
			fmt.Fprintf(w, "event: %s\n", e.name)
		}
		data, _ := json.Marshal(e.data)
		fmt.Fprintf(w, "data: %s\n\n", data)
	}
	fmt.Fprint(w, a.end)
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// next is the call to make, or nil and the text to say. A request that offers
// no tools is about something else, such as a title for the session.
func (m *model) next(tools any, results int) (*toolCall, string) {
	return nextOf(m.calls, tools, results)
}

func nextOf(calls []toolCall, tools any, results int) (*toolCall, string) {
	if offered, _ := tools.([]any); len(offered) == 0 {
		return nil, "ok"
	}
	if results < len(calls) {
		return &calls[results], ""
	}
	return nil, "done"
}

// each calls f for every object in a list.
func each(list any, f func(fields)) {
	items, _ := list.([]any)
	for _, item := range items {
		if o, ok := item.(fields); ok {
			f(o)
		}
	}
}

func jsonText(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

func (m *model) anthropic(body fields, id int) answer {
	results := 0
	each(body["messages"], func(msg fields) {
		each(msg["content"], func(block fields) {
			if block["type"] == "tool_result" {
				results++
			}
		})
	})
	calls := m.calls
	if messages, _ := body["messages"].([]any); len(messages) > 0 && strings.Contains(jsonText(messages[0]), helperMark) {
		calls = m.helper
		if results >= len(calls) {
			m.finish()
		}
	} else if results > 0 && results <= len(calls) && calls[results-1].Tool == "Agent" {
		<-m.helped.Done() // the client may go on while the subagent is at work
	}
	call, text := nextOf(calls, body["tools"], results)
	block, start := fields{"type": "text", "text": text}, fields{"type": "text", "text": ""}
	delta, stop := fields{"type": "text_delta", "text": text}, "end_turn"
	if call != nil {
		use := fmt.Sprintf("toolu_%d", id)
		block = fields{"type": "tool_use", "id": use, "name": call.Tool, "input": call.Args}
		start = fields{"type": "tool_use", "id": use, "name": call.Tool, "input": fields{}}
		delta, stop = fields{"type": "input_json_delta", "partial_json": jsonText(call.Args)}, "tool_use"
	}
	usage := fields{"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
	message := func(content []any, stop any) fields {
		return fields{
			"id": fmt.Sprintf("msg_%d", id), "type": "message", "role": "assistant", "model": body["model"],
			"content": content, "stop_reason": stop, "stop_sequence": nil, "usage": usage,
		}
	}
	events := []event{
		{"", fields{"type": "message_start", "message": message([]any{}, nil)}},
		{"", fields{"type": "content_block_start", "index": 0, "content_block": start}},
		{"", fields{"type": "content_block_delta", "index": 0, "delta": delta}},
		{"", fields{"type": "content_block_stop", "index": 0}},
		{"", fields{"type": "message_delta", "delta": fields{"stop_reason": stop, "stop_sequence": nil}, "usage": usage}},
		{"", fields{"type": "message_stop"}},
	}
	for i := range events {
		events[i].name = events[i].data.(fields)["type"].(string)
	}
	return answer{whole: message([]any{block}, stop), events: events}
}

func (m *model) responses(body fields, id int) answer {
	results, offered := 0, body["tools"]
	each(body["input"], func(item fields) {
		kind, _ := item["type"].(string)
		if strings.HasSuffix(kind, "_call_output") {
			results++
		}
		if kind == "additional_tools" {
			offered = []any{item}
		}
	})
	call, text := m.next(offered, results)
	item := fields{
		"type": "message", "id": fmt.Sprintf("msg_%d", id), "role": "assistant", "status": "completed",
		"content": []any{fields{"type": "output_text", "text": text, "annotations": []any{}}},
	}
	if call != nil {
		item = fields{
			"type": "function_call", "id": fmt.Sprintf("fc_%d", id), "call_id": fmt.Sprintf("call_%d", id),
			"name": call.Tool, "arguments": jsonText(call.Args), "status": "completed",
		}
	}
	response := func(status string, output []any) fields {
		return fields{
			"id": fmt.Sprintf("resp_%d", id), "object": "response", "created_at": 1, "model": "stub", "status": status, "output": output,
			"usage": fields{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
		}
	}
	whole := response("completed", []any{item})
	events := []event{
		{"response.created", fields{"type": "response.created", "sequence_number": 0, "response": response("in_progress", []any{})}},
		{"response.output_item.added", fields{"type": "response.output_item.added", "sequence_number": 1, "output_index": 0, "item": item}},
		{"response.output_item.done", fields{"type": "response.output_item.done", "sequence_number": 2, "output_index": 0, "item": item}},
		{"response.completed", fields{"type": "response.completed", "sequence_number": 3, "response": whole}},
	}
	return answer{whole: whole, events: events}
}

func (m *model) chat(body fields, id int) answer {
	results := 0
	each(body["messages"], func(msg fields) {
		if msg["role"] == "tool" {
			results++
		}
	})
	call, text := m.next(body["tools"], results)
	message, stop := fields{"role": "assistant", "content": text}, "stop"
	if call != nil {
		use := fields{
			"index": 0, "id": fmt.Sprintf("call_%d", id), "type": "function",
			"function": fields{"name": call.Tool, "arguments": jsonText(call.Args)},
		}
		message, stop = fields{"role": "assistant", "content": nil, "tool_calls": []any{use}}, "tool_calls"
	}
	usage := fields{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	completion := func(object string, choices ...any) fields {
		return fields{"id": fmt.Sprintf("chatcmpl-%d", id), "created": 1, "model": "stub", "object": object, "choices": choices, "usage": usage}
	}
	const chunk = "chat.completion.chunk"
	return answer{
		whole: completion("chat.completion", fields{"index": 0, "message": message, "finish_reason": stop}),
		events: []event{
			{"", completion(chunk, fields{"index": 0, "delta": message, "finish_reason": nil})},
			{"", completion(chunk, fields{"index": 0, "delta": fields{}, "finish_reason": stop})},
		},
		end: "data: [DONE]\n\n",
	}
}

func (m *model) gemini(body fields, id int) answer {
	results := 0
	each(body["contents"], func(content fields) {
		each(content["parts"], func(part fields) {
			if part["functionResponse"] != nil {
				results++
			}
		})
	})
	var offered []any
	each(body["tools"], func(t fields) {
		declared, _ := t["functionDeclarations"].([]any)
		offered = append(offered, declared...)
	})
	call, text := m.next(offered, results)
	part := fields{"text": text}
	if call != nil {
		part = fields{"functionCall": fields{"id": fmt.Sprintf("call_%d", id), "name": call.Tool, "args": call.Args}}
	}
	whole := fields{
		"candidates":    []any{fields{"index": 0, "finishReason": "STOP", "content": fields{"role": "model", "parts": []any{part}}}},
		"usageMetadata": fields{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}, "modelVersion": "stub",
	}
	return answer{whole: whole, events: []event{{"", whole}}}
}
