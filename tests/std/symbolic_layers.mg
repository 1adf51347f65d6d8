mg 1
// made by make_cases.py
import nn
graph symbolic_layers(x0: f32[B, S, 4],
    x1: i64[B, S],
    x2: f32[S, B, 4],
    x3: f32[B, 2, H, H])
-> (fc: f32[B, S, 7],
    ln: f32[B, S, 4],
    mha: f32[B, S, 4],
    block: f32[B, S, 4],
    embedded: f32[B, S, 4],
    recurrent: f32[S, B, 2],
    gated: f32[S, B, 2],
    conv: f32[B, 4, H, H],
    norm: f32[B, 2, H, H]) weights "symbolic_layers.safetensors"
{
    fc = nn.linear(x0, features = 7)
    ln = nn.layer_norm(x0)
    mha = nn.multi_head_attention(x0, x0, x0, heads = 2, causal = true)
    block = nn.transformer_block(x0, heads = 2, hidden = 6)
    embedded = nn.embedding(x1, entries = 8, width = 4)
    recurrent = nn.lstm_stack(x2, hidden = 2)
    gated = nn.gru_stack(x2, hidden = 2)
    conv = nn.conv2d(x3, channels = 4, kernel = 3, pad = 1)
    norm = nn.batch_norm(x3)
}
